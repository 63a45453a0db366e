// Money seen on a chain, and how far the network has confirmed it.
import type { PageState } from '#/checkout/page-state.ts'
import { fill, wordsOf } from '../words.ts'
import { CopyButton } from './copy.tsx'
import { Icon } from './icons.tsx'

export function Deposits({ state }: { readonly state: PageState }) {
  const deposits = state.panel?.method === 'CRYPTO' ? state.panel.deposits : []
  if (deposits.length === 0) return null
  const words = wordsOf(state)
  return (
    <ul class="deposits">
      {deposits.map(({ txHash, amount, confirmations, needed, isFinal }, index) => {
        const text = isFinal ? words.confirmed : fill(words.confirmations, { done: confirmations, needed })
        return (
          <li key={txHash}>
            <p class="deposit">
              <span>{words.received}</span>
              <span class="strong">{amount.text}</span>
            </p>
            {!isFinal && <progress value={confirmations} max={needed} aria-label={text} />}
            <p class={isFinal ? 'confirmed good' : 'confirmed'}>
              {isFinal && <Icon name="check" size={18} />}
              {text}
            </p>
            <p class="transaction">
              <span>{words.transaction}</span>
              <span id={`deposit-${index}`} class="mono cut whole">
                {txHash}
              </span>
              <CopyButton state={state} value={txHash} label={words.transaction} from={`deposit-${index}`} />
            </p>
          </li>
        )
      })}
    </ul>
  )
}
