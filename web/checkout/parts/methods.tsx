// By what to pay. Where nothing else is asked, one press is enough.
import type { MethodChoice, PageState } from '#/checkout/page-state.ts'
import { wordsOf } from '../words.ts'
import { Fields } from './fields.tsx'
import { Icon } from './icons.tsx'

export function ChooseMethod({ state }: { readonly state: PageState }) {
  const words = wordsOf(state)
  if (state.fields.length === 0) return <MethodButtons state={state} methods={state.methods} />
  return (
    <form class="form" method="post" action={state.links.choose}>
      <Fields state={state} />
      <fieldset class="methods">
        <legend>{words.chooseMethod}</legend>
        {state.methods.map((choice) => (
          <label key={choice.method} class={classOf(choice)}>
            <input
              type="radio"
              name="method"
              value={choice.method}
              required
              defaultChecked={choice.isChosen || state.methods.length === 1}
            />
            <MethodText choice={choice} />
          </label>
        ))}
      </fieldset>
      <button type="submit" class="button">
        {words.continue}
      </button>
    </form>
  )
}

/** While one method waits: the others, out of the way. */
export function OtherMethods({ state }: { readonly state: PageState }) {
  const others = state.methods.filter(({ isChosen }) => !isChosen)
  if (others.length === 0) return null
  return (
    <details class="others">
      <summary>
        {wordsOf(state).otherMethod}
        <Icon name="chevron" size={18} />
      </summary>
      <MethodButtons state={state} methods={others} />
    </details>
  )
}

function MethodButtons({
  state,
  methods,
}: {
  readonly state: PageState
  readonly methods: readonly MethodChoice[]
}) {
  return (
    <form class="methods" method="post" action={state.links.choose}>
      {methods.map((choice) => (
        <button key={choice.method} type="submit" name="method" value={choice.method} class={classOf(choice)}>
          <MethodText choice={choice} />
          <Icon name="chevron" size={18} />
        </button>
      ))}
    </form>
  )
}

function classOf({ isHighlighted }: MethodChoice): string {
  return isHighlighted ? 'method first' : 'method'
}

function MethodText({ choice }: { readonly choice: MethodChoice }) {
  return (
    <>
      <span class="method-icon">
        <Icon name={choice.method} size={24} />
      </span>
      <span class="method-text">
        <span class="method-name">{choice.label}</span> <span class="method-hint">{choice.hint}</span>
      </span>
    </>
  )
}
