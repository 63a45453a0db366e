// A part came: one press opens what the payer needs for the rest.
import type { PageState } from '#/checkout/page-state.ts'
import { wordsOf } from '../words.ts'
import { PostForm } from './post-form.tsx'
import { Said } from './said.tsx'

export function Rest({ state }: { readonly state: PageState }) {
  const { rest } = state
  if (rest === undefined) return null
  return (
    <PostForm class="rest" action={rest.url}>
      {(pressed) => (
        <button type="submit" class="button" aria-busy={pressed !== undefined}>
          <Said state={state} text={pressed === undefined ? rest.label : wordsOf(state).opening} />
        </button>
      )}
    </PostForm>
  )
}
