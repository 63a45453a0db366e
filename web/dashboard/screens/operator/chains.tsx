// Chains and our wallets there: how far each is followed, what stands still and what to do about it.
import type { WatchedChain } from '../../api/generated.ts'
import { useMayOperate } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { Code } from '../../kit/copy.tsx'
import { Money } from '../../kit/money.tsx'
import { Notice, PageHeader } from '../../kit/page.tsx'
import { Details } from '../../kit/reason.tsx'
import { RecordList, useAllRecords, useRecords } from '../../kit/record-list.tsx'
import { Time } from '../../kit/time.tsx'
import { operatorChainWords } from '../../words/operator-chains.ts'
import { operatorWords } from '../../words/operator.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { OperatorButton } from './action-dialog.tsx'
import { WalletsCard, FoundCoinsCard } from './chain-wallets.tsx'
import { HaltText, Line, ModeBadge, OnlyCommand } from './parts.tsx'

const everyMs = 10_000

export function ChainsPage() {
  const words = useWords(operatorChainWords)
  const may = useMayOperate()
  const records = useAllRecords('listChains', { everyMs: () => everyMs })
  const keys = records.rows?.map(({ key }) => key) ?? []
  return (
    <>
      <PageHeader
        title={words.title}
        actions={
          may('write') && (
            <ButtonLink to="/operator/jobs" icon="play">
              {words.sweep}
            </ButtonLink>
          )
        }
      />
      <div className="flex flex-col gap-6 phone:gap-4">
        <RecordList
          records={records}
          words={{ title: words.chains, none: words.chainsNone }}
          title={words.chains}
          rowId={({ key }) => key}
          line={(chain) => <ChainLine chain={chain} />}
        />
        <WalletsCard />
        <RefillsCard />
        <HangingCard />
        {keys.map((key) => (
          <SweepsCard key={key} chain={key} />
        ))}
        {keys.map((key) => (
          <FoundCoinsCard key={key} chain={key} />
        ))}
        <OnlyCommand why="rescue" commands={['rescue make <address> --network <url> --token <address>']} />
      </div>
    </>
  )
}

function ChainLine({ chain }: { readonly chain: WatchedChain }) {
  const words = useWords(operatorChainWords)
  const { key, halted, halt } = chain
  const may = useMayOperate()
  return (
    <li className="flex flex-col gap-2 border-b border-line px-4 py-3 text-13 last:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-15 font-strong">{chain.key}</span>
        <span className="figures text-ink-soft">{chain.chainId}</span>
        <ModeBadge mode={chain.mode} />
        <ChainState chain={chain} />
        <ChainFigures chain={chain} />
      </div>
      {chain.whatToDo !== undefined && (
        <Notice
          tone="bad"
          action={
            halted !== undefined &&
            may('approve') && (
              <OperatorButton
                title={words.liftChainTitle(key)}
                lead={words.liftChainLead}
                act={words.lift}
                reason="maybe"
                call="liftChain"
                id={key}
                body={() => ({ halted })}
                done={words.liftChainDone}
              >
                <Notice tone="bad">
                  {words.halted}: <HaltText reason={halt} text={halted} />
                </Notice>
              </OperatorButton>
            )
          }
        >
          <p>{words.advice[chain.whatToDo]}</p>
          {halted !== undefined && (
            <p className="mt-1 break-words">
              {words.halted}: <HaltText reason={halt} text={halted} />
            </p>
          )}
          <Details>{chain.nodeError}</Details>
        </Notice>
      )}
    </li>
  )
}

function ChainState({ chain }: { readonly chain: WatchedChain }) {
  const words = useWords(operatorChainWords)
  if (chain.halted !== undefined) return <Badge tone="bad">{words.isHalted}</Badge>
  if (chain.nodeError !== undefined) return <Badge tone="bad">{words.nodeFails}</Badge>
  return chain.isWatched ? (
    <Badge tone="good">{words.watched}</Badge>
  ) : (
    <Badge tone="wait">{words.unwatched}</Badge>
  )
}

function ChainFigures({ chain }: { readonly chain: WatchedChain }) {
  const words = useWords(operatorChainWords)
  const format = useFormat()
  const block = (text: string) => format.count(BigInt(text))
  const lag =
    chain.lag === undefined
      ? words.lagUnknown
      : chain.lag === '0'
        ? words.lagNone
        : words.lag(block(chain.lag))
  return (
    <span className="figures flex min-w-0 flex-1 basis-60 flex-wrap justify-end gap-x-4 text-ink-soft phone:justify-start">
      {chain.head !== undefined && (
        <span>
          {words.head} {block(chain.head)}
        </span>
      )}
      {chain.final !== undefined && (
        <span>
          {words.final} {block(chain.final)}
        </span>
      )}
      <span>{lag}</span>
    </span>
  )
}

// Refills of the wallet that pays out, from the treasury: under way, and done.

/** Refills are whole cents of a token with eighteen decimals. */
const unitsPerCent = 10n ** 16n

export function RefillsCard() {
  const words = useWords(operatorChainWords)
  return (
    <>
      <RecordList
        records={useAllRecords('listRefills')}
        words={{ title: words.refills, none: words.refillsNone }}
        title={words.refills}
        line={({ chain, units, isByHand, createdAt, endedAt }) => (
          <Line>
            <span className="min-w-0 flex-1 basis-48">
              <Money minor={BigInt(units) / unitsPerCent} currency="USDT" className="font-strong" />{' '}
              <span className="text-ink-soft">
                {chain} · {isByHand ? words.refillByHand : words.refillBySigner}
              </span>
            </span>
            <Badge tone={endedAt === undefined ? 'wait' : 'good'}>
              {endedAt === undefined ? words.refillOpen : words.refillEnded}
            </Badge>
            <Time at={createdAt} className="text-ink-soft" />
          </Line>
        )}
      />
      <OnlyCommand why="refill" commands={['coins refill', 'coins forget-refill']} />
    </>
  )
}

// Transactions without an end, and deposit addresses whose collection failed.

export function HangingCard() {
  const words = useWords(operatorChainWords)
  return (
    <RecordList
      records={useAllRecords('listHangingTransactions')}
      words={{ title: words.hanging, none: words.hangingNone }}
      title={words.hanging}
      line={(each) => (
        <Line>
          <span className="min-w-0 flex-1 basis-60 break-words">
            <span className="font-strong">
              {each.chain} · {words.nonce} {each.nonce}
            </span>{' '}
            <span className="text-ink-soft">
              {each.purpose} · {each.state}
            </span>
            <span className="block font-mono break-all">{each.subject}</span>
            <Details>{each.cancel}</Details>
            {each.isTaken && <span className="block text-bad">{words.isTaken}</span>}
          </span>
          <Time at={each.createdAt} className="text-ink-soft" />
        </Line>
      )}
    />
  )
}

export function SweepsCard({ chain }: { readonly chain: string }) {
  const words = useWords(operatorChainWords)
  const shared = useWords(operatorWords)
  const format = useFormat()
  const title = `${words.sweeps}: ${chain}`
  return (
    <RecordList
      records={useRecords('listFailedSweeps', { query: { chain } })}
      words={{ title, none: words.sweepsNone }}
      title={title}
      rowId={({ address }) => address}
      line={({ address, reason, fails, dueAt }) => (
        <Line>
          <span className="min-w-0 flex-1 basis-48">
            <Code value={address} what={shared.id} />
            <Details>{reason}</Details>
          </span>
          <span className="figures text-ink-soft">{words.fails(format.count(fails))}</span>
          {dueAt !== undefined && (
            <span className="text-ink-soft">
              {words.again} <Time at={dueAt} />
            </span>
          )}
        </Line>
      )}
    />
  )
}
