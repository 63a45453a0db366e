// A token on a chain. What cannot be undone is said first; amount and address are copied each by itself.
import type { PageState, Panel } from '#/checkout/page-state.ts'
import { Icon } from '../parts/icons.tsx'
import { Qr } from '../parts/qr.tsx'
import { Row } from '../parts/receipt.tsx'
import { fill, wordsOf } from '../words.ts'

type Props = { readonly state: PageState; readonly panel: Extract<Panel, { method: 'CRYPTO' }> }

/** Every wallet reads an address. One that takes only links has the other code, with token and amount in it. */
export function CryptoPanel({ state, panel }: Props) {
  const words = wordsOf(state)
  const { token, network, amount } = panel
  return (
    <div class="panel">
      <p class="warning">
        <Icon name="alert" />
        <span>{fill(words.networkWarning, { token, network })}</span>
      </p>
      <div class="codes">
        <Qr code={panel.addressQr} />
        <a class="button secondary on-touch" href={panel.uri}>
          {words.openWallet}
        </a>
        <details class="other-code">
          <summary>
            {words.otherCode}
            <Icon name="chevron" size={18} />
          </summary>
          <Qr code={panel.uriQr} />
          <p class="hint">{words.otherCodeHint}</p>
        </details>
      </div>
      <dl class="rows">
        <Row
          state={state}
          id="pay-amount"
          label={words.exactAmount}
          value={amount.text}
          copy={amount.value}
          isStrong
        />
        <Row
          state={state}
          id="pay-address"
          label={words.address}
          value={panel.address}
          copy={panel.address}
          isCode
        />
      </dl>
      <p class="hint">{words.feesNote}</p>
    </div>
  )
}
