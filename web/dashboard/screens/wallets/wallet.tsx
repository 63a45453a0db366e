// One wallet: what it holds, how its balance moved, and its statement.
import { lazy, Suspense } from 'react'
import type { Wallet } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant, useParam } from '../../api/session.ts'
import { DialogButton } from '../../kit/dialog.tsx'
import { Money } from '../../kit/money.tsx'
import { RecordPage, Stack } from '../../kit/record-page.tsx'
import { useWords } from '../../words/reader.ts'
import { walletWords } from '../../words/wallets.ts'
import { WalletBadges, ChangeWalletDialog } from './list.tsx'
import { Statement } from './statement.tsx'
import { TransferDialog } from './transfer.tsx'

const WalletHistory = lazy(async () => ({ default: (await import('./history.tsx')).WalletHistory }))

export function WalletPage() {
  const words = useWords(walletWords)
  const { id: merchantId, may } = useMerchant()
  const walletId = useParam('walletId')
  return (
    <RecordPage
      of={useRead('getWallet', { id: walletId })}
      kind={words.wallet}
      back={{ to: `/m/${merchantId}/wallets`, label: words.title }}
      head={(wallet) => ({
        name: wallet.label,
        badges: <WalletBadges wallet={wallet} />,
        id: [wallet.id, words.copyId],
        actions: may('wallets:write') && (
          <>
            <DialogButton
              icon="settings"
              dialog={(onClose) => <ChangeWalletDialog wallet={wallet} onClose={onClose} />}
            >
              {words.change}
            </DialogButton>
            <DialogButton
              variant="primary"
              icon="send"
              dialog={(onClose) => <TransferDialog fromId={wallet.id} onClose={onClose} />}
            >
              {words.transfer}
            </DialogButton>
          </>
        ),
      })}
    >
      {(wallet) => (
        <Stack>
          <BalanceRow wallet={wallet} />
          <Suspense fallback={<div className="min-h-80" />}>
            <WalletHistory wallet={wallet} />
          </Suspense>
          <Statement wallet={wallet} />
        </Stack>
      )}
    </RecordPage>
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
