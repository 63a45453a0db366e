// Invites a person, gives one another role, removes one.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { given } from '#/kernel/given.ts'
import type { Answer } from '../../api/call.ts'
import type { Member, Role } from '../../api/generated.ts'
import { useMerchant, useRefreshSession } from '../../api/session.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { useDraft, type Item } from '../../kit/form.tsx'
import { SecretDialog } from '../../kit/secret.tsx'
import { memberWords } from '../../words/members.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { MemberKeys } from './member-keys.tsx'

const roles: readonly Role[] = ['OWNER', 'ADMIN', 'DEVELOPER', 'FINANCE', 'SUPPORT', 'VIEWER']

/** The choice of a role, of those that the user may give. */
function useRoleField(): Item<{ readonly role: Role }> {
  const words = useWords(memberWords)
  const states = useWords(stateWords)
  const cards = useGrantable().map((role) => ({
    value: role,
    label: states.role[role],
    help: words.roleHelp[role],
  }))
  return { name: 'role', label: words.role, cards }
}

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(memberWords)
  const format = useFormat()
  const draft = useDraft({ email: '', role: 'VIEWER' as Role })
  const roleField = useRoleField()
  const [made, setMade] = useState<Answer<'createInvitation'>>()
  if (made !== undefined)
    return (
      <SecretDialog
        title={words.linkTitle}
        lead={words.linkLead(made.email, format.short(made.endsAt))}
        label={words.link}
        value={made.url}
        onClose={onClose}
      />
    )
  return (
    <ActionDialog
      call="createInvitation"
      title={words.inviteTitle}
      lead={words.inviteLead}
      act={words.inviteDo}
      isChecked
      draft={draft}
      fields={[
        {
          name: 'email',
          label: words.email,
          type: 'email',
          required: true,
          autoFocus: true,
          autoComplete: 'off',
          maxLength: 320,
        },
        roleField as Item<typeof draft.values>,
      ]}
      body={() => ({ email: draft.values.email.trim(), role: draft.values.role })}
      onAnswer={setMade}
      onClose={onClose}
    />
  )
}

const nameOf = ({ name, email }: Member) => (name === '' ? email : name)

export function RoleDialog({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const words = useWords(memberWords)
  const draft = useDraft({ role: member.role, heir: '' })
  const roleField = useRoleField()
  const { role, heir } = draft.values
  return (
    <ActionDialog
      call="changeMember"
      id={member.userId}
      title={words.changeTitle(nameOf(member))}
      lead={words.changeLead}
      act={words.save}
      isIdle={role === member.role}
      draft={draft}
      fields={[
        roleField as Item<typeof draft.values>,
        role !== member.role && (
          <MemberKeys
            key="keys"
            member={member}
            role={role}
            value={heir}
            onChange={(chosen) => draft.put({ heir: chosen })}
          />
        ),
      ]}
      body={() => ({ role, ...given({ keysTo: heir || undefined }) })}
      done={words.changed}
      onClose={onClose}
    />
  )
}

/** Removes a member; with `isOwn` the user leaves. */
export function RemoveDialog({
  member,
  isOwn,
  onClose,
}: {
  readonly member: Member
  readonly isOwn: boolean
  readonly onClose: () => void
}) {
  const words = useWords(memberWords)
  const refresh = useRefreshSession()
  const navigate = useNavigate()
  const [heir, setHeir] = useState('')
  const leave = async () => {
    onClose()
    if (!isOwn) return
    await refresh()
    await navigate({ to: '/' })
  }
  return (
    <ActionDialog
      call="removeMember"
      id={member.userId}
      query={given({ keysTo: heir || undefined })}
      title={isOwn ? words.leaveTitle : words.removeTitle(nameOf(member))}
      lead={isOwn ? words.leaveLead : words.removeLead}
      act={isOwn ? words.leave : words.remove}
      isDanger
      done={words.removed}
      onAnswer={() => void leave()}
      onClose={onClose}
    >
      <MemberKeys member={member} value={heir} onChange={setHeir} />
    </ActionDialog>
  )
}

/** The roles that the user may give and take. Whoever may change members has all permissions; only an owner makes an owner. */
export function useGrantable(): readonly Role[] {
  const { role, may } = useMerchant()
  if (!may('members:write')) return []
  return role === 'OWNER' ? roles : roles.filter((each) => each !== 'OWNER')
}
