// Rows of a name and a value: the receipt, and values to copy.
import type { PageState } from '#/checkout/page-state.ts'
import type { Mark as MarkName } from '#/checkout/page-values.ts'
import { wordsOf } from '../words.ts'
import { CopyButton } from './copy.tsx'
import { Icon } from './icons.tsx'
import { Items } from './items.tsx'
import { Mark } from './marks.tsx'
import { asWritten, saidIn } from './said.tsx'

/** Whether the page ends in a receipt, which then holds the items too. */
export function hasReceipt({ receipt }: PageState): boolean {
  return receipt.length > 0
}

export function Receipt({ state }: { readonly state: PageState }) {
  return (
    <>
      {hasReceipt(state) && (
        <section class="receipt" aria-labelledby="receipt">
          <h3 id="receipt">{wordsOf(state).receipt}</h3>
          {state.items !== undefined && <Items items={state.items} />}
          <dl class="rows">
            {state.receipt.map(({ label, value, copy, mark }, index) => (
              <Row
                key={`${index} ${label}`}
                state={state}
                id={`receipt-${index}`}
                label={label}
                value={value}
                isCode={copy !== undefined}
                {...(copy === undefined ? {} : { copy })}
                {...(mark === undefined ? {} : { mark })}
              />
            ))}
          </dl>
          {isPaid(state) && (
            <button type="button" class="quiet print with-script" onClick={printAll}>
              <Icon name="print" size={18} />
              {wordsOf(state).print}
            </button>
          )}
        </section>
      )}
      {state.thanks !== undefined && (
        <p class="thanks" key={state.thanks}>
          {saidIn(state, state.thanks)}
        </p>
      )}
    </>
  )
}

/** A folded list would be left out of the paper by browsers that cannot unfold it by style. */
function printAll(): void {
  for (const each of document.querySelectorAll<HTMLDetailsElement>('details.folded')) each.open = true
  print()
}

function isPaid({ step }: PageState): boolean {
  return step === 'paid' || step === 'overpaid' || step === 'late'
}

type RowProps = {
  readonly state: PageState
  readonly id: string
  readonly label: string
  readonly value: string
  readonly copy?: string
  readonly mark?: MarkName
  readonly isCode?: boolean
  readonly isStrong?: boolean
}

export function Row(props: RowProps) {
  const { state, id, label, value, copy, mark, isCode = false, isStrong = false } = props
  // A payer who selects it by hand needs all of it: only the style shortens it.
  const isCut = copy !== undefined && value.includes('…')
  return (
    <div class={copy === undefined ? 'row' : 'row with-copy'}>
      <dt>{label}</dt>
      <dd>
        {mark !== undefined && <Mark name={mark} />}
        <span
          id={id}
          class={classOf({ isCode, isStrong, isCut, isWhole: copy !== undefined })}
          {...asWritten}
        >
          {isCut ? copy : value}
        </span>
        {copy !== undefined && <CopyButton state={state} value={copy} label={label} from={id} />}
      </dd>
    </div>
  )
}

type Marks = {
  readonly isCode: boolean
  readonly isStrong: boolean
  readonly isCut: boolean
  readonly isWhole: boolean
}

function classOf({ isCode, isStrong, isCut, isWhole }: Marks): string {
  return [isCode && 'mono', isStrong && 'strong', isCut && 'cut', isWhole && 'whole']
    .filter(Boolean)
    .join(' ')
}
