// A new withdrawal in two steps: what and to where; then a review that names amount, fee, destination and what stays.
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useAct } from '../../api/act.ts'
import type { Wallet } from '../../api/generated.ts'
import { codeOf, faultOf } from '../../api/problem.ts'
import { useMerchant } from '../../api/session.ts'
import { useWallets } from '../../api/wallets.ts'
import { Loaded } from '../../kit/fault.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { toast } from '../../kit/toast.tsx'
import { useFormat, useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'
import { emptyDestination } from './destination.tsx'
import { OrderForm } from './order-form.tsx'
import type { Order, OrderDraft } from './order-form.tsx'
import { Review } from './review.tsx'

export function NewWithdrawal() {
  const words = useWords(withdrawalWords)
  const { id } = useMerchant()
  const wallets = useWallets()
  const back = { to: `/m/${id}/withdrawals`, label: words.title }
  return (
    <>
      <PageHeader title={words.create} back={back} lead={words.createLead} />
      <Loaded of={wallets}>
        {(all) => (
          <div className="max-w-150">
            <Steps wallets={all} />
          </div>
        )}
      </Loaded>
    </>
  )
}

function Steps({ wallets }: { readonly wallets: readonly Wallet[] }) {
  const words = useWords(withdrawalWords)
  const format = useFormat()
  const navigate = useNavigate()
  const { id } = useMerchant()
  const act = useAct()
  const [draft, setDraft] = useState<OrderDraft>({ to: emptyDestination, walletId: '', text: '', note: '' })
  const [order, setOrder] = useState<Order>()
  // What is wrong with a field is shown beside it.
  useEffect(() => {
    if (codeOf(act.error) === 'invalid_request' && fields.some((name) => faultOf(act.error, name)))
      setOrder(undefined)
  }, [act.error])
  const request = async ({ destination, wallet, minor, note }: Order) => {
    const made = await act.ask('createWithdrawal', {
      body: {
        ...destination,
        amount: minor,
        currency: wallet.currency,
        walletId: wallet.id,
        ...(note === '' ? {} : { description: note }),
      },
    })
    if (made === undefined) return
    toast(words.createDone(format.money(minor, wallet.currency)))
    void navigate({ to: `/m/${id}/withdrawals/${made.id}` })
  }
  if (order !== undefined)
    return (
      <Review
        order={order}
        act={act}
        onBack={() => setOrder(undefined)}
        onRequest={() => void request(order)}
      />
    )
  return (
    <OrderForm wallets={wallets} draft={draft} onDraft={setDraft} error={act.error} onReview={setOrder} />
  )
}

const fields = ['pixKey', 'pixKeyType', 'cryptoAddress', 'iban', 'beneficiary', 'description']
