// Downloads the statement of a span as an OFX file. It is put together here, page by page, up to a bound.
import { useState } from 'react'
import { call, type Page, type Query } from '../../api/call.ts'
import type { StatementEntry, Wallet } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { useFaultText } from '../../kit/fault.tsx'
import { saveFile } from '../../kit/save-file.ts'
import { toast } from '../../kit/toast.tsx'
import { useFormat, useWords } from '../../words/reader.ts'
import { walletWords } from '../../words/wallets.ts'
import { hasOfx, ofxOf } from './ofx.ts'

const pageRows = 100
const rowsMax = 5_000

/** `span`: the filter of the statement. A file for accounting has all kinds of movements. */
export function OfxButton({
  wallet,
  span,
}: {
  readonly wallet: Wallet
  readonly span: { readonly from: string | undefined; readonly to: string | undefined }
}) {
  const words = useWords(walletWords)
  const format = useFormat()
  const textOf = useFaultText()
  const { id } = useMerchant()
  const [count, setCount] = useState<number>()
  if (!hasOfx(wallet)) return null
  const download = async () => {
    setCount(0)
    try {
      const entries = await allEntries(id, { walletId: wallet.id, ...span }, setCount)
      if (entries === 'too_many') toast(words.ofxTooMany(format.count(rowsMax)), { isBad: true })
      else if (entries.length === 0) toast(words.ofxNone, { isBad: true })
      else {
        const nameOf = (kind: StatementEntry['kind']) => words.kind[kind] ?? kind
        const text = ofxOf({ wallet, entries, ...span, nameOf, at: new Date().toISOString() })
        saveFile(
          text,
          `${span.from?.slice(0, 10) ?? 'statement'}-${wallet.currency}.ofx`,
          'application/x-ofx',
        )
      }
    } catch (error) {
      toast(textOf(error), { isBad: true })
    }
    setCount(undefined)
  }
  return (
    <Button
      variant="quiet"
      icon="download"
      aria-label={words.ofx}
      title={words.ofx}
      busy={count !== undefined}
      onClick={() => void download()}
    >
      {count === undefined || count === 0 ? 'OFX' : words.ofxRunning(format.count(count))}
    </Button>
  )
}

async function allEntries(
  merchant: string,
  query: Query<'getStatement'>,
  onCount: (count: number) => void,
): Promise<readonly StatementEntry[] | 'too_many'> {
  const entries: StatementEntry[] = []
  for (let cursor: string | undefined; ;) {
    const input = { merchant, query: { ...query, limit: pageRows, cursor } }
    const page: Page<StatementEntry> = await call('getStatement', input)
    entries.push(...page.data)
    onCount(entries.length)
    cursor = page.nextCursor
    if (cursor === undefined) return entries
    if (entries.length >= rowsMax) return 'too_many'
  }
}
