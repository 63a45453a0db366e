// Chains and our wallets there: how far each is followed, what stands still and what to do about it.
import { useState } from 'react'
import type { WatchedChain } from '../../api/generated.ts'
import { useMayOperate } from '../../api/operator.ts'
import { useRead } from '../../api/queries.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { Details } from '../../kit/details.tsx'
import { Card, Notice, PageHeader } from '../../kit/page.tsx'
import { operatorChainWords } from '../../words/operator-chains.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { ActionDialog } from './action-dialog.tsx'
import { FoundCoinsCard } from './chain-found.tsx'
import { RefillsCard } from './chain-refills.tsx'
import { HangingCard, SweepsCard } from './chain-trouble.tsx'
import { WalletsCard } from './chain-wallets.tsx'
import { HaltText } from './halt-text.tsx'
import { OnlyCommand } from './only-command.tsx'
import { ModeBadge, NothingHere, Part } from './parts.tsx'

const everyMs = 10_000

export function ChainsPage() {
  const words = useWords(operatorChainWords)
  const may = useMayOperate()
  const query = useRead('listChains', { everyMs: () => everyMs })
  const [lifted, setLifted] = useState<WatchedChain>()
  const keys = query.data?.data.map(({ key }) => key) ?? []
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
        <Card title={words.chains} flush>
          <Part query={query}>
            {({ data }) =>
              data.length === 0 ? (
                <NothingHere>{words.chainsNone}</NothingHere>
              ) : (
                <ul>
                  {data.map((chain) => (
                    <ChainLine key={chain.key} chain={chain} onLift={() => setLifted(chain)} />
                  ))}
                </ul>
              )
            }
          </Part>
        </Card>
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
      {lifted?.halted !== undefined && (
        <ActionDialog
          title={words.liftChainTitle(lifted.key)}
          lead={words.liftChainLead}
          act={words.lift}
          reason="maybe"
          call="liftChain"
          id={lifted.key}
          body={() => ({ halted: lifted.halted ?? '' })}
          done={words.liftChainDone}
          onClose={() => setLifted(undefined)}
        >
          {() => (
            <Notice tone="bad">
              {words.halted}: <HaltText reason={lifted.halt} text={lifted.halted} />
            </Notice>
          )}
        </ActionDialog>
      )}
    </>
  )
}

function ChainLine({ chain, onLift }: { readonly chain: WatchedChain; readonly onLift: () => void }) {
  const words = useWords(operatorChainWords)
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
            chain.halted !== undefined && may('approve') && <Button onClick={onLift}>{words.lift}</Button>
          }
        >
          <p>{words.advice[chain.whatToDo]}</p>
          {chain.halted !== undefined && (
            <p className="mt-1 break-words">
              {words.halted}: <HaltText reason={chain.halt} text={chain.halted} />
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
