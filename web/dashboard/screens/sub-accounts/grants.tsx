// The transfer grants that a sub-account gave its parent, on its page at the parent, which takes by them.
import { useState } from 'react'
import type { SubAccount, TransferGrant } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { useWords } from '../../words/reader.ts'
import { grantWords } from '../../words/transfer-grants.ts'
import { GrantList } from './grant-table.tsx'
import { SubAccountTransfer } from './transfer.tsx'

export function SubAccountGrants({ account }: { readonly account: SubAccount }) {
  const words = useWords(grantWords)
  const { may } = useMerchant()
  const [taking, setTaking] = useState<TransferGrant>()
  const canTake = may('wallets:write') && account.state === 'ACTIVE'
  return (
    <>
      <GrantList
        subAccountId={account.id}
        lead={words.theirsLead}
        none={words.theirsNone}
        actionOf={(grant) =>
          canTake &&
          grant.status === 'ACTIVE' && <Button onClick={() => setTaking(grant)}>{words.take}</Button>
        }
      />
      {taking !== undefined && (
        <SubAccountTransfer account={account} grant={taking} onClose={() => setTaking(undefined)} />
      )}
    </>
  )
}
