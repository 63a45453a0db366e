// Invites a person to a merchant, such as its first owner. The link is shown once.
import { useState } from 'react'
import type { OperatorMerchant, Role } from '../../api/generated.ts'
import type { OneTimeLink } from '../../api/operator-records.ts'
import { faultOf } from '../../api/problem.ts'
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { operatorMerchantWords } from '../../words/operator-merchants.ts'
import { useWords } from '../../words/reader.ts'
import { ActionDialog, ShownOnce } from './action-dialog.tsx'

const roles: readonly Role[] = ['OWNER', 'ADMIN', 'DEVELOPER', 'FINANCE', 'SUPPORT', 'VIEWER']

export function InviteDialog({
  merchant,
  onClose,
}: {
  readonly merchant: OperatorMerchant
  readonly onClose: () => void
}) {
  const words = useWords(operatorMerchantWords)
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('OWNER')
  const [link, setLink] = useState<OneTimeLink>()
  if (link !== undefined)
    return (
      <ShownOnce
        title={words.link}
        lead={words.linkLead(link.email)}
        label={words.link}
        value={link.url}
        onClose={onClose}
      />
    )
  return (
    <ActionDialog
      title={words.invite}
      lead={words.inviteLead(merchant.name)}
      act={words.inviteMake}
      reason="none"
      call="inviteToMerchant"
      id={merchant.id}
      body={() => ({ email: email.trim(), role })}
      onAnswer={setLink}
      onClose={onClose}
    >
      {(error) => (
        <>
          <TextField
            label={words.email}
            type="email"
            value={email}
            autoFocus
            autoComplete="off"
            fault={faultOf(error, 'email')}
            onChange={(event) => setEmail(event.target.value)}
          />
          <SelectField
            label={words.role}
            value={role}
            onChange={(event) => setRole(event.target.value as Role)}
            options={roles.map((value) => ({ value, label: words.roles[value] }))}
          />
        </>
      )}
    </ActionDialog>
  )
}
