// A new batch: a table is chosen, its sums and first rows are reviewed, and all of it is requested or nothing.
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useState, type ChangeEvent } from 'react'
import { useAct } from '../../api/act.ts'
import type { Body } from '../../api/call.ts'
import type { ReviewWithdrawalBatchAnswer } from '../../api/generated.ts'
import { writeJson } from '../../api/json.ts'
import { ProblemError } from '../../api/problem.ts'
import { useMerchant } from '../../api/session.ts'
import { Approvers } from '../../kit/approvers.tsx'
import { Button } from '../../kit/button.tsx'
import { CodeBlock } from '../../kit/copy.tsx'
import { InsetFacts, sumsIn, type Fact } from '../../kit/facts.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { Field, inputClass } from '../../kit/field.tsx'
import { useKeptDraft, type KeptDraft } from '../../kit/kept-draft.ts'
import { Money } from '../../kit/money.tsx'
import { Card, Notice, PageHeader } from '../../kit/page.tsx'
import { toast } from '../../kit/toast.tsx'
import { payoutWords } from '../../words/payouts.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { readTable, rowsOf, type BatchRow, type ReadTable } from './csv.ts'

const example = `type,amount,currency,pixKey,pixKeyType,metadata.invoice
PIX,5000,BRL,ana@example.com,EMAIL,A-1
PIX,7500,BRL,+5511987654321,PHONE,A-2
`
const rowsShown = 5
const faultsShown = 20

export function NewBatch() {
  const words = useWords(payoutWords)
  const { id } = useMerchant()
  const draft = useKeptDraft('batch', { file: '', rows: '' })
  const [fault, setFault] = useState<ReadTable & { readonly ok: false }>()
  const rows = useMemo(() => rowsOf(draft.values.rows), [draft.values.rows])
  const faultText = useTableFault()
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    const table = file === undefined ? undefined : readTable(await file.arrayBuffer())
    setFault(table?.ok === false ? table : undefined)
    draft.put({ file: file?.name ?? '', rows: table?.ok === true ? writeJson(table.rows) : '' })
  }
  return (
    <>
      <PageHeader
        title={words.batchCreate}
        back={{ to: `/m/${id}/withdrawals/batches`, label: words.batches }}
        lead={words.batchNoneLead}
      />
      <div className="flex max-w-170 flex-col gap-6 phone:gap-4">
        <Card>
          <div className="flex flex-col gap-4">
            <Field label={words.file} help={words.fileHelp} fault={fault && faultText(fault)}>
              {(attributes) => (
                <input
                  {...attributes}
                  type="file"
                  accept=".csv,text/csv"
                  onChange={(event) => void choose(event)}
                  className={`${inputClass} py-2 file:mr-3 file:rounded-small file:border-0 file:bg-inset file:px-2.5 file:py-1 file:text-13 file:font-strong file:text-ink`}
                />
              )}
            </Field>
            {rows === undefined && <CodeBlock label={words.fileExample} code={example} />}
          </div>
        </Card>
        {/* Another file is another review. */}
        {rows !== undefined && <BatchReview key={draft.values.rows} rows={rows} draft={draft} />}
      </div>
    </>
  )
}

function useTableFault(): (table: ReadTable & { readonly ok: false }) => string {
  const words = useWords(payoutWords)
  return (table) => {
    if (table.reason === 'twice') return words.fileTwice(table.column)
    if (table.reason === 'many') return words.fileMany
    return table.reason === 'empty' ? words.fileEmpty : words.fileWrong
  }
}

function BatchReview({
  rows,
  draft,
}: {
  readonly rows: readonly BatchRow[]
  readonly draft: KeptDraft<{ readonly file: string; readonly rows: string }>
}) {
  const words = useWords(payoutWords)
  const shared = useWords(withdrawalWords)
  const format = useFormat()
  const navigate = useNavigate()
  const { id } = useMerchant()
  const act = useAct([], draft)
  const [found, setFound] = useState<ReviewWithdrawalBatchAnswer>()
  const count = format.count(rows.length)
  // The server checks what the cells hold.
  const body = { withdrawals: rows as unknown as Body<'createWithdrawalBatch'>['withdrawals'] }
  const review = async () => {
    const answer = await act.ask('reviewWithdrawalBatch', { body })
    setFound(answer)
    return answer
  }
  // What would be refused is said at once, before a second factor is asked for.
  useEffect(() => void review(), [])
  const request = async () => {
    if ((await review()) === undefined) return
    const made = await act.ask('createWithdrawalBatch', { body })
    if (made === undefined) return
    toast(words.batchDone(count))
    void navigate({ to: `/m/${id}/withdrawals/batches/${made.id}` })
  }
  return (
    <Card title={words.batchReview}>
      <div className="flex flex-col gap-4">
        <InsetFacts
          items={[
            draft.values.file !== '' && [words.file, draft.values.file],
            [words.count, <span className="figures">{count}</span>],
            ...sumsOf(rows).map(([currency, minor]): Fact => [currency, sumsIn(currency)(minor, true)]),
            ...feesOf(found).map(([currency, minor]): Fact => [
              `${shared.fee} ${currency}`,
              sumsIn(currency)(minor),
            ]),
          ]}
        />
        <Preview rows={rows} />
        {found?.approvers !== undefined && <Approvers names={found.approvers} />}
        <BatchFaults error={act.error} />
        <div className="flex justify-end">
          <Button
            variant="primary"
            busy={act.isBusy}
            onClick={() => void request()}
            className="max-sm:w-full"
          >
            {words.batchDo(count)}
          </Button>
        </div>
      </div>
    </Card>
  )
}

function Preview({ rows }: { readonly rows: readonly BatchRow[] }) {
  const words = useWords(payoutWords)
  const shared = useWords(withdrawalWords)
  const format = useFormat()
  const shown = rows.slice(0, rowsShown)
  return (
    <table className="w-full text-13">
      <caption className="pb-1 text-left text-ink-soft">
        {words.preview(format.count(shown.length), format.count(rows.length))}
      </caption>
      <thead className="aside">
        <tr>
          <th>{shared.destination}</th>
          <th>{shared.amount}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((row, index) => (
          // The rows of a file keep their places.
          <tr key={index} className="border-t border-line">
            <td className="max-w-0 w-full truncate py-1.5 pr-3">
              {textOf(row['pixKey'] ?? row['cryptoAddress'] ?? row['iban'])}
            </td>
            <td className="py-1.5 text-right whitespace-nowrap">
              {typeof row['amount'] === 'number' ? (
                <Money minor={row['amount']} currency={textOf(row['currency'])} />
              ) : (
                textOf(row['amount'])
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What is wrong with which row, as the file numbers them: the names are row 1. */
function BatchFaults({ error }: { readonly error: unknown }) {
  const words = useWords(payoutWords)
  const format = useFormat()
  const faults = error instanceof ProblemError ? (error.problem.errors ?? []) : []
  const placed = faults.flatMap(({ pointer, message }) => {
    const [, place, field = ''] = /\/withdrawals\/(\d+)\/?(.*)$/.exec(pointer) ?? []
    return place === undefined ? [] : [{ row: Number(place) + 2, field, message }]
  })
  if (placed.length === 0) return <FormFault error={error} />
  const more = placed.length - faultsShown
  return (
    <Notice tone="bad">
      <p>{words.faults}</p>
      <ul className="mt-1 flex flex-col gap-0.5">
        {placed.slice(0, faultsShown).map(({ row, field, message }) => (
          <li key={`${row} ${field} ${message}`} className="break-words">
            <strong>{words.faultRow(format.count(row), field)}</strong>: {message}
          </li>
        ))}
      </ul>
      {more > 0 && <p>{words.moreFaults(format.count(more))}</p>}
    </Notice>
  )
}

/** The fees of each currency that has any, once the server has said them. */
function feesOf(found: ReviewWithdrawalBatchAnswer | undefined): readonly (readonly [string, bigint])[] {
  const fees = new Map<string, bigint>()
  for (const { currency, fee } of found?.outcome.progress ?? [])
    if (BigInt(fee) > 0n) fees.set(currency, (fees.get(currency) ?? 0n) + BigInt(fee))
  return [...fees]
}

function sumsOf(rows: readonly BatchRow[]): readonly (readonly [string, bigint])[] {
  const sums = new Map<string, bigint>()
  for (const { amount, currency } of rows)
    if (typeof amount === 'number')
      sums.set(textOf(currency), (sums.get(textOf(currency)) ?? 0n) + BigInt(amount))
  return [...sums]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
