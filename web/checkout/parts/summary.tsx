// The merchant, the amount, and what it is for.
import type { PageState } from '#/checkout/page-state.ts'
import { wordsOf } from '../words.ts'
import { Amount } from './amount.tsx'
import { Items } from './items.tsx'
import { hasReceipt } from './receipt.tsx'
import { asWritten, saidIn } from './said.tsx'

export function Summary({ state }: { readonly state: PageState }) {
  const { merchant } = state
  return (
    <header class="summary">
      <div class="column">
        <div class="merchant">
          {merchant.logoUrl === undefined ? (
            <span class="monogram" aria-hidden="true" {...asWritten}>
              {merchant.name.trim().match(/^./u)?.[0].toUpperCase()}
            </span>
          ) : (
            <img class="logo" src={merchant.logoUrl} alt="" />
          )}
          <p class="merchant-name">
            <span {...asWritten}>{merchant.name}</span>
            {state.isSandbox && <span class="sandbox">{wordsOf(state).sandbox}</span>}
          </p>
        </div>
        <Amount state={state} />
        {state.description !== undefined && (
          <p class="description" key={state.description}>
            {saidIn(state, state.description)}
          </p>
        )}
        {state.items !== undefined && !hasReceipt(state) && <Items items={state.items} />}
        {state.note !== undefined && (
          <p class="note" key={state.note}>
            {saidIn(state, state.note)}
          </p>
        )}
      </div>
    </header>
  )
}
