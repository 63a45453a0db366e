// The choice of the method. Where no fields are collected, one press is enough.
import type { MethodChoice, PageState } from '#/checkout/page-state.ts'
import { wordsOf } from '../words.ts'
import { Fields } from './fields.tsx'
import { Icon } from './icons.tsx'
import { Mark } from './marks.tsx'
import { PostForm } from './post-form.tsx'
import { Said } from './said.tsx'

export function ChooseMethod({ state }: { readonly state: PageState }) {
  const words = wordsOf(state)
  const { methods } = state
  if (state.fields.length === 0) return <MethodButtons state={state} methods={methods} />
  const preselected =
    methods.find(({ isChosen }) => isChosen) ??
    methods.find(({ isHighlighted }) => isHighlighted) ??
    methods[0]
  return (
    <PostForm class="form" action={state.links.choose}>
      {(pressed) => (
        <>
          <fieldset class="methods">
            <legend class="aside">{words.chooseMethod}</legend>
            {methods.map((choice) => (
              <label key={choice.method} class="method">
                <input
                  type="radio"
                  name="method"
                  value={choice.method}
                  defaultChecked={choice === preselected}
                />
                <MethodText choice={choice} hint={choice.hint} />
              </label>
            ))}
          </fieldset>
          <Fields state={state} />
          <button type="submit" class="button" aria-busy={pressed !== undefined}>
            <Said state={state} text={pressed === undefined ? words.continue : words.opening} />
          </button>
        </>
      )}
    </PostForm>
  )
}

/** While one method is open: the others, folded. */
export function OtherMethods({ state }: { readonly state: PageState }) {
  const others = state.methods.filter(({ isChosen }) => !isChosen)
  if (others.length === 0) return null
  return (
    <details class="others" open={state.problem !== undefined && state.step === 'preparing'}>
      <summary>
        {wordsOf(state).otherMethod}
        <Icon name="chevron" size={18} />
      </summary>
      <MethodButtons state={state} methods={others} />
    </details>
  )
}

type ButtonsProps = { readonly state: PageState; readonly methods: readonly MethodChoice[] }

function MethodButtons({ state, methods }: ButtonsProps) {
  return (
    <PostForm class="methods" action={state.links.choose}>
      {(pressed) =>
        methods.map((choice) => (
          <button
            key={choice.method}
            type="submit"
            name="method"
            value={choice.method}
            class={choice.isHighlighted ? 'method first' : 'method'}
            aria-busy={pressed === choice.method}
          >
            <MethodText
              choice={choice}
              hint={pressed === choice.method ? wordsOf(state).opening : choice.hint}
            />
            <Icon name="chevron" size={18} />
          </button>
        ))
      }
    </PostForm>
  )
}

function MethodText({ choice, hint }: { readonly choice: MethodChoice; readonly hint: string }) {
  return (
    <>
      <span class="method-icon">
        <Mark name={choice.mark} />
      </span>
      <span class="method-text">
        <span class="method-name">{choice.label}</span>{' '}
        <span class="method-hint" key={hint}>
          {hint}
        </span>
      </span>
      {choice.accepts.length > 0 && (
        <span class="accepts">
          {choice.accepts.map((name) => (
            <Mark key={name} name={name} />
          ))}
        </span>
      )}
    </>
  )
}
