// The wallets of a merchant with their balances, and which one is the default of its currency.
import type { MerchantWallet } from '../../api/operator-records.ts'
import { useMayOperate } from '../../api/operator.ts'
import { Badge } from '../../kit/badge.tsx'
import { Money } from '../../kit/money.tsx'
import { RecordList, useAllRecords } from '../../kit/record-list.tsx'
import { operatorMerchantWords } from '../../words/operator-merchants.ts'
import { useWords } from '../../words/reader.ts'
import { OperatorButton } from './action-dialog.tsx'
import { Line } from './parts.tsx'

export function MerchantWallets({ id }: { readonly id: string }) {
  const words = useWords(operatorMerchantWords)
  const may = useMayOperate()
  return (
    <RecordList
      records={useAllRecords('listMerchantWallets', { id })}
      words={{ title: words.wallets, none: '' }}
      title={words.wallets}
      line={(wallet) => (
        <Line>
          <span className="min-w-0 flex-1 basis-40">
            <span className="font-strong break-words">{wallet.label}</span>{' '}
            {wallet.label !== wallet.currency && <span className="text-ink-soft">{wallet.currency} </span>}
            {wallet.isDefault && (
              <Badge tone="calm" icon="check">
                {words.isDefault}
              </Badge>
            )}
          </span>
          <Amounts wallet={wallet} />
          {!wallet.isDefault && wallet.isActive && may('write') && (
            <OperatorButton
              title={words.makeDefault}
              lead={words.makeDefaultLead(wallet.label, wallet.currency)}
              act={words.makeDefault}
              reason="maybe"
              call="makeDefaultWallet"
              id={wallet.id}
              done={words.makeDefaultDone}
            />
          )}
        </Line>
      )}
    />
  )
}

function Amounts({ wallet }: { readonly wallet: MerchantWallet }) {
  const words = useWords(operatorMerchantWords)
  const { currency } = wallet
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-0.5">
      {wallet.pendingBalance !== 0 && (
        <span className="text-ink-soft">
          {words.pending} <Money minor={wallet.pendingBalance} currency={currency} />
        </span>
      )}
      {wallet.heldBalance !== 0 && (
        <span className="text-ink-soft">
          {words.held} <Money minor={wallet.heldBalance} currency={currency} />
        </span>
      )}
      <span>
        <span className="aside">{words.available} </span>
        <Money minor={wallet.balance} currency={currency} className="font-strong" />
      </span>
    </span>
  )
}
