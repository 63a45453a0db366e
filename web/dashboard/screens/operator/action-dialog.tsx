// The dialog of one action in the console: what will happen, the reason of the operator, and the button that does it.
import { useState, type FormEvent, type ReactNode } from 'react'
import { useAct } from '../../api/act.ts'
import type { ActName, Answer, Body, OwnInput } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { CopyAction } from '../../kit/copy.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { TextField } from '../../kit/field.tsx'
import { Notice } from '../../kit/page.tsx'
import { toast } from '../../kit/toast.tsx'
import { operatorSuspenseWords } from '../../words/operator-suspense.ts'
import { operatorWords } from '../../words/operator.ts'
import { useWords } from '../../words/reader.ts'

type ActionDialogProps<Name extends ActName> = {
  readonly call: Name
  readonly title: string
  readonly lead?: ReactNode
  /** The words of the button. */
  readonly act: string
  readonly isDanger?: boolean
  /** Whether a reason has to be given, may be given, or is not asked for. */
  readonly reason: 'needed' | 'maybe' | 'none'
  /** The toast after success. */
  readonly done?: string
  /** Called with the answer, instead of closing the dialog. */
  readonly onAnswer?: (answer: Answer<Name>) => void
  readonly onClose: () => void
  /** Fields between the lead and the reason. They are given the error of the request. */
  readonly children?: (error: unknown) => ReactNode
} & Omit<OwnInput<Name>, 'body'> &
  BodyOf<Omit<Body<Name>, 'reason'>>

/** The body besides the reason; undefined while a field is wrong, which the fields then say. */
type BodyOf<Of> = string extends keyof Of
  ? object
  : Partial<Of> extends Of
    ? { readonly body?: () => Of | undefined }
    : { readonly body: () => Of | undefined }

export function ActionDialog<Name extends ActName>(props: ActionDialogProps<Name>) {
  const words = useWords(operatorWords)
  const suspense = useWords(operatorSuspenseWords)
  const { reason: wants, onClose } = props
  const act = useAct()
  const [reason, setReason] = useState('')
  const [wasTried, setTried] = useState(false)
  const given = reason.trim()
  const isMissing = wants === 'needed' && given === ''
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const { id, body: bodyOf = () => ({}) } = props as {
      readonly id?: string
      readonly body?: () => object | undefined
    }
    const body = bodyOf()
    if (isMissing || body === undefined) return
    const sent = { ...body, ...(given === '' ? {} : { reason: given }) }
    const done = await act.attempt(props.call, { ...(id === undefined ? {} : { id }), body: sent })
    if (done === undefined) return
    const { answer } = done
    const isRequested = typeof answer === 'object' && 'proposal' in answer
    // The caller is a member of the merchant: nothing has changed yet.
    if (props.done !== undefined)
      toast(isRequested && props.onAnswer === undefined ? suspense.proposed : props.done)
    if (props.onAnswer === undefined) onClose()
    else props.onAnswer(answer)
  }
  return (
    <Dialog open onClose={onClose} title={props.title} lead={props.lead}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" noValidate>
        {props.children?.(act.error)}
        {wants !== 'none' && (
          <TextField
            label={wants === 'needed' ? words.reason : words.reasonMaybe}
            help={words.reasonHelp}
            fault={wasTried && isMissing ? words.reasonMissing : undefined}
            value={reason}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
        <FormFault error={act.error} />
        <DialogActions>
          <Button onClick={onClose}>{words.back}</Button>
          <Button type="submit" variant={props.isDanger === true ? 'danger' : 'primary'} busy={act.isBusy}>
            {props.act}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
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
