// Movements of our coins that nothing explains. One person proposes an owner, another one confirms.
import type { FoundCoins } from '../../api/operator-records.ts'
import { useMayOperate } from '../../api/operator.ts'
import { Badge } from '../../kit/badge.tsx'
import { Code } from '../../kit/copy.tsx'
import { useDraft } from '../../kit/form.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorChainWords } from '../../words/operator-chains.ts'
import { operatorWords } from '../../words/operator.ts'
import { useWords } from '../../words/reader.ts'
import { OperatorButton } from './action-dialog.tsx'
import { Line } from './parts.tsx'

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
