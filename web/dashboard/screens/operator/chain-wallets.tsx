// The wallets that send: what waits in each, why one waits or is stopped, and for how long its native coin lasts.
import type { Answer } from '../../api/call.ts'
import type { HotWallet } from '../../api/operator-records.ts'
import { useMayOperate } from '../../api/operator.ts'
import { useRead } from '../../api/queries.ts'
import { Badge } from '../../kit/badge.tsx'
import { Code } from '../../kit/copy.tsx'
import { Notice } from '../../kit/page.tsx'
import { RecordList, useAllRecords } from '../../kit/record-list.tsx'
import { operatorChainWords } from '../../words/operator-chains.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { OperatorButton } from './action-dialog.tsx'
import { HaltText, Line } from './parts.tsx'

export function WalletsCard() {
  const words = useWords(operatorChainWords)
  const gas = useRead('forecastGas')
  const failed = gas.data?.data.filter(({ error }) => error !== undefined) ?? []
  return (
    <RecordList
      records={useAllRecords('listHotWallets')}
      words={{ title: words.wallets, none: words.walletsNone }}
      title={words.wallets}
      rowId={({ chain, address }) => `${chain} ${address}`}
      line={(wallet) => <WalletLine wallet={wallet} gas={gas.data} />}
    >
      {failed.map(({ chain, error }) => (
        <div key={chain} className="p-3">
          <Notice tone="bad">
            {words.gasFails} ({chain}): {error}
          </Notice>
        </div>
      ))}
    </RecordList>
  )
}

function WalletLine({
  wallet,
  gas,
}: {
  readonly wallet: HotWallet
  readonly gas: Answer<'forecastGas'> | undefined
}) {
  const words = useWords(operatorChainWords)
  const shared = useWords(operatorWords)
  const format = useFormat()
  const may = useMayOperate()
  const purposes: Readonly<Record<string, string>> = words.purposes
  const waitings: Readonly<Record<string, string>> = words.waitings
  const { address, chain, purpose, queued, open, waiting, stopped, stop } = wallet
  const forecast = gas?.data
    .find((each) => each.chain === chain)
    ?.wallets.find((each) => each.address.toLowerCase() === address.toLowerCase())
  return (
    <Line>
      <span className="min-w-0 flex-1 basis-56">
        <span className="font-strong">{purposes[purpose] ?? purpose}</span>{' '}
        <span className="text-ink-soft">{chain}</span>
        <span className="block">
          <Code value={address} what={shared.id} />
        </span>
        {stopped !== undefined && (
          <span className="block break-words text-bad">
            {words.stoppedAdvice} <HaltText reason={stop} text={stopped} />
          </span>
        )}
      </span>
      <span className="figures text-ink-soft">
        {format.count(queued)} {words.queued} · {format.count(open)} {words.open}
      </span>
      {forecast !== undefined && (
        <span className="figures text-ink-soft">
          {words.lasts(format.count(BigInt(forecast.transactions)))}
        </span>
      )}
      {forecast?.isLow === true && (
        <Badge tone="bad" icon="alert">
          {words.low}
        </Badge>
      )}
      {waiting !== undefined && (
        <Badge tone="wait">
          {words.waitingFor}: {waitings[waiting] ?? waiting}
        </Badge>
      )}
      {stopped !== undefined && <Badge tone="bad">{words.isStopped}</Badge>}
      {stopped !== undefined && may('approve') && (
        <OperatorButton
          title={words.liftWalletTitle}
          lead={words.liftWalletLead}
          act={words.lift}
          reason="needed"
          call="liftHotWallet"
          body={() => ({ chain, address, stopped })}
          done={words.liftWalletDone}
        >
          <Notice tone="bad">
            {words.halted}: <HaltText reason={stop} text={stopped} />
          </Notice>
        </OperatorButton>
      )}
    </Line>
  )
}
