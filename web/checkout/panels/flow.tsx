// Methods shown by their flow: a button that leads to the bank, a push to the phone, a voucher to print and to copy, or a debit to wait for.
import type { FlowLabels } from '#/checkout/methods/flow-words.ts'
import type { FlowPanel } from '#/checkout/methods/panels.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Icon } from '../parts/icons.tsx'
import { PostForm } from '../parts/post-form.tsx'
import { Row } from '../parts/receipt.tsx'
import { asWritten, Said, saidIn } from '../parts/said.tsx'
import { wordsOf } from '../words.ts'
import type { MethodView, PanelProps } from './method-view.ts'

type Props = PanelProps<FlowPanel>

export const flowView: MethodView<FlowPanel> = { Panel: PanelOfFlow }

function PanelOfFlow({ state, panel }: Props) {
  switch (panel.kind) {
    case 'REDIRECT':
      return <Go state={state} panel={panel} url={panel.hostedUrl} isMain />
    case 'PUSH':
      return <Go state={state} panel={panel} url={panel.againUrl} isMain={false} />
    case 'VOUCHER':
      return <Voucher state={state} panel={panel} />
    case 'DEBIT':
      return (
        <div class="panel">
          <p class="hint" key={panel.waiting}>
            {saidIn(state, panel.waiting)}
          </p>
        </div>
      )
  }
}

/** To the bank; or, quietly, the push once more. */
function Go({ state, url, isMain }: Props & { readonly url: string; readonly isMain: boolean }) {
  const words = state.texts as FlowLabels
  return (
    <div class="panel">
      {!isMain && <p class="hint">{words.pushWaiting}</p>}
      <PostForm action={url} class="">
        {(pressed) => (
          <button type="submit" class={isMain ? 'button' : 'quiet'} aria-busy={pressed !== undefined}>
            <Said
              state={state}
              text={
                pressed !== undefined ? wordsOf(state).opening : isMain ? words.redirectGo : words.pushAgain
              }
            />
          </button>
        )}
      </PostForm>
    </div>
  )
}

function Voucher({ state, panel }: Props) {
  const words = state.texts as FlowLabels
  if (panel.kind !== 'VOUCHER') return <></>
  const { line, bars, pdfUrl } = panel
  return (
    <div class="panel voucher">
      {line !== undefined && (
        <div class="code">
          <CopyButton
            state={state}
            value={line.value}
            label={words.boletoCopy}
            from="boleto-line"
            isPrimary
          />
          <p class="code-name" id="boleto-line-name">
            {words.boletoLine}
          </p>
          <code id="boleto-line" class="whole" aria-labelledby="boleto-line-name" {...asWritten}>
            {line.shown}
          </code>
        </div>
      )}
      {bars !== undefined && (
        <div class="bars" role="img" aria-label={bars.label}>
          <svg viewBox={`0 0 ${bars.width} 1`} preserveAspectRatio="none" aria-hidden="true">
            <path d={bars.path} />
          </svg>
        </div>
      )}
      <VoucherRows state={state} panel={panel} />
      {pdfUrl !== undefined && (
        <a class="quiet" href={pdfUrl} rel="noreferrer">
          {words.boletoPdf}
        </a>
      )}
      <button type="button" class="quiet print with-script" onClick={() => print()}>
        <Icon name="print" size={18} />
        {words.voucherPrint}
      </button>
    </div>
  )
}

/** What the payer types at the ATM. */
function VoucherRows({ state, panel }: Props) {
  const words = state.texts as FlowLabels
  if (panel.kind !== 'VOUCHER') return <></>
  const { lines, amount } = panel
  const row = (id: string, label: string, value: string, copy: string, isCode = true) => (
    <Row state={state} id={id} label={label} value={value} copy={copy} isCode={isCode} isStrong />
  )
  return (
    <dl class="rows">
      {lines !== undefined && row('voucher-entity', words.voucherEntity, lines.entity, lines.entity)}
      {lines !== undefined && row('voucher-reference', words.voucherReference, lines.shown, lines.reference)}
      {row('voucher-amount', words.voucherAmount, amount.text, amount.value, false)}
    </dl>
  )
}
