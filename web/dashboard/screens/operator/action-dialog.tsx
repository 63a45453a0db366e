// The dialog of one action in the console: what will happen, the reason of the operator, and the button that does it.
import { useState } from 'react'
import { given } from '#/kernel/given.ts'
import type { ActName, Answer, Body } from '../../api/call.ts'
import {
  ActionDialog,
  OpenerButton,
  type ActionProps,
  type BodyOf,
  type Opener,
} from '../../kit/action-dialog.tsx'
import { Button } from '../../kit/button.tsx'
import { CopyAction } from '../../kit/copy.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import type { Closing } from '../../kit/form.tsx'
import { Notice } from '../../kit/page.tsx'
import { operatorSuspenseWords } from '../../words/operator-suspense.ts'
import { operatorWords } from '../../words/operator.ts'
import { useWords } from '../../words/reader.ts'

type OperatorProps<Name extends ActName, Values> = ActionProps<Name, Values> & {
  /** Whether a reason has to be given, may be given, or is not asked for. */
  readonly reason: 'needed' | 'maybe' | 'none'
} & BodyOf<Omit<Body<Name>, 'reason'>>

export function OperatorDialog<Name extends ActName, Values extends object = object>({
  reason: wants,
  done,
  ...props
}: OperatorProps<Name, Values> & Closing) {
  const words = useWords(operatorWords)
  const suspense = useWords(operatorSuspenseWords)
  const [text, setText] = useState('')
  const reason = text.trim() === '' ? undefined : text.trim()
  const { body: bodyOf = () => ({}), fields = [] } = props as {
    readonly body?: () => object | undefined
  } & Pick<OperatorProps<Name, Values>, 'fields'>
  const reasonField = (fault: Parameters<typeof TextField>[0]['fault']) => (
    <TextField
      label={wants === 'needed' ? words.reason : words.reasonMaybe}
      help={words.reasonHelp}
      fault={fault}
      value={text}
      maxLength={500}
      onChange={(event) => setText(event.target.value)}
    />
  )
  const whole = {
    ...props,
    cancel: words.back,
    fields: [
      ...fields,
      wants !== 'none' && {
        at: 'reason',
        wrong: wants === 'needed' && reason === undefined && words.reasonMissing,
        field: reasonField,
      },
    ],
    body: () => {
      const body = bodyOf()
      return body && { ...body, ...given({ reason }) }
    },
    // The caller may be a member of the merchant: then nothing has changed yet.
    done: (answer: Answer<Name>) =>
      typeof answer === 'object' && 'proposal' in answer && props.onAnswer === undefined
        ? suspense.proposed
        : typeof done === 'function'
          ? done(answer)
          : done,
  }
  return <ActionDialog {...(whole as unknown as Parameters<typeof ActionDialog<Name, Values>>[0])} />
}

/** A button that asks first: its dialog has the same words. */
export function OperatorButton<Name extends ActName, Values extends object = object>({
  variant,
  opener,
  about,
  ...dialog
}: OperatorProps<Name, Values> & Opener) {
  const props = { isDanger: variant === 'danger', ...dialog } as unknown as OperatorProps<Name, Values>
  return (
    <OpenerButton
      {...{ variant, opener, about, act: dialog.act, onOpen: dialog.draft?.reset }}
      dialog={(onClose) => <OperatorDialog {...props} onClose={onClose} />}
    />
  )
}

/** A secret or a link that the server shows this once. */
export function ShownOnce({
  title,
  lead,
  label,
  value,
  onClose,
}: {
  readonly title: string
  readonly lead: string
  readonly label: string
  readonly value: string
  readonly onClose: () => void
}) {
  const words = useWords(operatorWords)
  return (
    <Dialog open onClose={onClose} title={title} lead={lead}>
      <Notice>{words.once}</Notice>
      <div>
        <p className="mb-1.5 text-13 font-strong">{label}</p>
        <p className="rounded-control border border-line bg-code p-3 font-mono text-13 break-all select-all">
          {value}
        </p>
      </div>
      <DialogActions>
        <Button onClick={onClose}>{words.done}</Button>
        <CopyAction variant="primary" value={value} label={label} />
      </DialogActions>
    </Dialog>
  )
}
