// A token on a chain. The warning that cannot be undone comes first; amount and address are copied separately.
import type { CryptoLabels } from '#/checkout/methods/crypto-words.ts'
import type { Panels } from '#/checkout/methods/panels.ts'
import { fill } from '#/kernel/dictionary.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Icon } from '../parts/icons.tsx'
import { Qr } from '../parts/qr.tsx'
import { Row } from '../parts/receipt.tsx'
import { asWritten, Said, saidIn } from '../parts/said.tsx'
import type { MethodView, PanelProps } from './method-view.ts'

type Crypto = Panels['CRYPTO']

export const cryptoView: MethodView<Crypto> = { Panel: CryptoPanel, Progress: Deposits }

/** Every wallet reads an address. For a wallet that reads only links there is the other code, with token and amount in it. */
function CryptoPanel({ state, panel }: PanelProps<Crypto>) {
  const words = state.texts as CryptoLabels
  const { token, network, amount } = panel
  return (
    <div class="panel">
      <p class="warning">
        <Icon name="alert" />
        <Said state={state} text={fill(words.networkWarning, { token, network })} />
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

/** Money detected on the chain, and how far the network has confirmed it. */
function Deposits({ state, panel: { deposits } }: PanelProps<Crypto>) {
  if (deposits.length === 0) return null
  const words = state.texts as CryptoLabels
  return (
    <ul class="deposits">
      {deposits.map(({ txHash, amount, confirmations, needed, isFinal }, index) => {
        const text = isFinal ? words.confirmed : fill(words.confirmations, { done: confirmations, needed })
        return (
          <li key={txHash}>
            <p class="deposit">
              <span>{words.received}</span>
              <span class="strong" {...asWritten}>
                {amount.text}
              </span>
            </p>
            {!isFinal && <progress value={confirmations} max={needed} aria-label={text} />}
            <p class={isFinal ? 'confirmed good' : 'confirmed'} key={text}>
              {isFinal && <Icon name="check" size={18} />}
              {saidIn(state, text)}
            </p>
            <p class="transaction">
              <span>{words.transaction}</span>
              <span id={`deposit-${index}`} class="mono cut whole" {...asWritten}>
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
