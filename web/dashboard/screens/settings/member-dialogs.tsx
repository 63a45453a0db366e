// Invites a person, gives one another role, removes one.
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import type { Answer } from '../../api/call.ts'
import type { Member, Role } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { useRefreshSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { RadioCards, TextField } from '../../kit/field.tsx'
import { SecretDialog } from '../../kit/secret.tsx'
import { toast } from '../../kit/toast.tsx'
import { memberWords } from '../../words/members.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { MemberKeys } from './member-keys.tsx'
import { useGrantable } from './roles.ts'

function RoleField({ value, onChange }: { readonly value: Role; readonly onChange: (role: Role) => void }) {
  const words = useWords(memberWords)
  const states = useWords(stateWords)
  return (
    <RadioCards
      legend={words.role}
      value={value}
      onChange={onChange}
      options={useGrantable().map((role) => ({
        value: role,
        label: states.role[role],
        help: words.roleHelp[role],
      }))}
    />
  )
}

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(memberWords)
  const format = useFormat()
  const act = useAct()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('VIEWER')
  const [made, setMade] = useState<Answer<'createInvitation'>>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setMade(await act.ask('createInvitation', { body: { email: email.trim(), role } }))
  }
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
    <Dialog open onClose={onClose} title={words.inviteTitle} lead={words.inviteLead}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <TextField
          label={words.email}
          type="email"
          required
          autoFocus
          autoComplete="off"
          maxLength={320}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          fault={faultOf(act.error, 'email')}
        />
        <RoleField value={role} onChange={setRole} />
        <FormFault error={act.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={act.isBusy}>
            {words.inviteDo}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

export function RoleDialog({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const words = useWords(memberWords)
  const act = useAct()
  const [role, setRole] = useState(member.role)
  const [heir, setHeir] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const body = { role, ...(heir === '' ? {} : { keysTo: heir }) }
    if (!(await act.send('changeMember', { id: member.userId, body }))) return
    toast(words.changed)
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.changeTitle(member.name === '' ? member.email : member.name)}
      lead={words.changeLead}
    >
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <RoleField value={role} onChange={setRole} />
        {role !== member.role && <MemberKeys member={member} role={role} value={heir} onChange={setHeir} />}
        <FormFault error={act.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={act.isBusy} disabled={role === member.role}>
            {words.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
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
  const act = useAct()
  const refresh = useRefreshSession()
  const navigate = useNavigate()
  const [heir, setHeir] = useState('')
  const remove = async () => {
    const query = heir === '' ? {} : { keysTo: heir }
    if (!(await act.send('removeMember', { id: member.userId, query }))) return
    toast(words.removed)
    onClose()
    if (!isOwn) return
    await refresh()
    await navigate({ to: '/' })
  }
  const name = member.name === '' ? member.email : member.name
  return (
    <Dialog
      open
      onClose={onClose}
      title={isOwn ? words.leaveTitle : words.removeTitle(name)}
      lead={isOwn ? words.leaveLead : words.removeLead}
    >
      <MemberKeys member={member} value={heir} onChange={setHeir} />
      <FormFault error={act.error} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" busy={act.isBusy} onClick={() => void remove()}>
          {isOwn ? words.leave : words.remove}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
