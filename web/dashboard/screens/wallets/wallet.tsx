// One wallet: what it holds, how its balance moved, and its statement.
import { lazy, Suspense, useState } from 'react'
import { useParam } from '../../api/address.ts'
import type { Wallet } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { LoadingOrFault } from '../../kit/fault.tsx'
import { Money } from '../../kit/money.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { RecordId, TitleLine } from '../../kit/record-head.tsx'
import { useWords } from '../../words/reader.ts'
import { walletWords } from '../../words/wallets.ts'
import { ChangeWalletDialog } from './change.tsx'
import { Statement } from './statement.tsx'
import { TransferDialog } from './transfer.tsx'

const WalletHistory = lazy(async () => ({ default: (await import('./history.tsx')).WalletHistory }))

export function WalletPage() {
  const words = useWords(walletWords)
  const { id: merchantId, may } = useMerchant()
  const walletId = useParam('walletId')
  const { data: wallet, error, refetch } = useRead('getWallet', { id: walletId })
  const [action, setAction] = useState<'change' | 'transfer'>()
  const close = () => setAction(undefined)
  const back = { to: `/m/${merchantId}/wallets`, label: words.title }
  if (wallet === undefined)
    return (
      <>
        <PageHeader title={words.wallet} back={back} />
        <LoadingOrFault error={error} onRetry={() => void refetch()} />
      </>
    )
  return (
    <>
      <PageHeader
        back={back}
        titleText={wallet.label}
        title={
          <TitleLine>
            <span className="break-words">{wallet.label}</span>
            {wallet.isDefault && (
              <Badge tone="calm" icon="check">
                {words.isDefault}
              </Badge>
            )}
            {wallet.walletType === 'RESERVE' && (
              <Badge tone="calm" icon="shield">
                {words.types.RESERVE}
              </Badge>
            )}
            {!wallet.isActive && <Badge tone="wait">{words.inactive}</Badge>}
          </TitleLine>
        }
        lead={<RecordId value={wallet.id} what={words.copyId} />}
        actions={
          may('wallets:write') && (
            <>
              <Button icon="settings" onClick={() => setAction('change')}>
                {words.change}
              </Button>
              <Button variant="primary" icon="send" onClick={() => setAction('transfer')}>
                {words.transfer}
              </Button>
            </>
          )
        }
      />
      <div className="flex flex-col gap-6 phone:gap-4">
        <BalanceRow wallet={wallet} />
        <Suspense fallback={<div className="min-h-80" />}>
          <WalletHistory wallet={wallet} />
        </Suspense>
        <Statement wallet={wallet} />
      </div>
      {action === 'change' && <ChangeWalletDialog wallet={wallet} onClose={close} />}
      {action === 'transfer' && <TransferDialog fromId={wallet.id} onClose={close} />}
    </>
  )
}

function BalanceRow({ wallet }: { readonly wallet: Wallet }) {
  const words = useWords(walletWords)
  const { currency } = wallet
  const parts = [
    [words.available, wallet.balance],
    [words.pending, wallet.pendingBalance],
    [words.held, wallet.heldBalance],
  ] as const
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-3">
      {parts.map(([name, minor], index) => (
        <div key={name} className={index === 0 ? 'max-sm:w-full' : ''}>
          <dt className="text-13 text-ink-soft">{name}</dt>
          <dd>
            <Money
              minor={minor}
              currency={currency}
              className={`text-28 tracking-tight ${index === 0 ? 'font-strong' : 'text-ink-soft phone:text-20'}`}
            />
          </dd>
        </div>
      ))}
    </dl>
  )
}
