// The wallets that send: what waits in each, why one waits or is stopped, and for how long its native coin lasts.
import type { Answer } from '../../api/call.ts'
import type { HotWallet, FoundCoins } from '../../api/operator-records.ts'
import { useRead } from '../../api/queries.ts'
import { useMayOperate } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Code } from '../../kit/copy.tsx'
import { useDraft } from '../../kit/form.tsx'
import { Notice } from '../../kit/page.tsx'
import { RecordList, useAllRecords, useRecords } from '../../kit/record-list.tsx'
import { Time } from '../../kit/time.tsx'
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

// Movements of our coins that nothing explains. One person proposes an owner, another one confirms.

export function FoundCoinsCard({ chain }: { readonly chain: string }) {
  const words = useWords(operatorChainWords)
  const title = `${words.found}: ${chain}`
  return (
    <RecordList
      records={useRecords('listFoundCoins', { query: { chain } })}
      words={{ title, none: words.foundNone }}
      title={title}
      line={(coins) => <CoinsLine coins={coins} />}
    />
  )
}

function CoinsLine({ coins }: { readonly coins: FoundCoins }) {
  const words = useWords(operatorChainWords)
  const shared = useWords(operatorWords)
  const may = useMayOperate()
  const owner = useDraft({ merchantId: '' })
  const { proposal, bookedAs } = coins
  return (
    <Line>
      <span className="min-w-0 flex-1 basis-60">
        <span className="figures font-strong">{unitsText(coins.units)} USDT</span>{' '}
        <Badge tone={bookedAs === 'LEFT' ? 'bad' : 'wait'}>
          {bookedAs === 'LEFT' ? words.left : words.came}
        </Badge>
        <span className="block">
          <Code value={coins.txHash} what={shared.id} />
        </span>
        {proposal !== undefined && (
          <span className="block break-words text-ink-soft">
            {proposal.merchantId} {proposal.note !== undefined && `· ${proposal.note}`}
            {proposal.isOwn && ` · ${words.own}`}
          </span>
        )}
      </span>
      <Time at={coins.at} className="text-ink-soft" />
      {bookedAs === 'FOUND' && may('write') && (
        <OperatorButton
          title={words.proposeTitle}
          lead={words.proposeLead}
          act={words.propose}
          reason="needed"
          call="proposeOwner"
          id={coins.id}
          draft={owner}
          fields={[{ name: 'merchantId', label: words.merchantId, className: 'font-mono' }]}
          body={() => ({ merchantId: owner.values.merchantId.trim() })}
          done={words.proposed}
        />
      )}
      {proposal !== undefined && !proposal.isOwn && may('approve') && (
        <OperatorButton
          variant="primary"
          title={words.confirmTitle}
          lead={words.confirmLead(proposal.merchantId)}
          act={words.confirm}
          reason="none"
          call="confirmOwner"
          id={coins.id}
          done={words.confirmed}
        />
      )}
    </Line>
  )
}

/** Base units of 18 decimals as a decimal number, without zeros at its end. */
function unitsText(units: string): string {
  const padded = units.padStart(19, '0')
  const fraction = padded.slice(-18).replace(/0+$/, '').padEnd(2, '0')
  return `${padded.slice(0, -18)}.${fraction}`
}
