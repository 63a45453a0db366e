// The dialog of one request that changes something: what will happen, its fields, and the button that does it.
import { useState, type ComponentProps, type ReactNode } from 'react'
import { given } from '#/kernel/given.ts'
import { useAct, type Act, type ReviewName } from '../api/act.ts'
import type { ActName, Answer, Body, OwnInput, Parts } from '../api/call.ts'
import { writeJson } from '../api/json.ts'
import type { Button } from './button.tsx'
import { DialogButton } from './dialog.tsx'
import { FormDialog, type Closing, type FormProps } from './form.tsx'
import type { KeptDraft } from './kept-draft.ts'
import { toast } from './toast.tsx'

export type ActionProps<Name extends ActName, Values> = FormProps<Values> & {
  readonly call: Name
  /** Its review: what the call would refuse is said before a second factor is asked for, and so is who has to approve. */
  readonly review?: ReviewName
  /** With a review: says who can approve it. */
  readonly approval?: (approvers: readonly string[]) => ReactNode
  /** The toast after success. */
  readonly done?: string | ((answer: Answer<Name>) => string | undefined) | undefined
  /** Called with the answer, instead of closing the dialog. */
  readonly onAnswer?: ((answer: Answer<Name>) => void) | undefined
  /** What else it changes, besides the merchant's records: `useAct`. */
  readonly changed?: readonly string[]
} & Omit<OwnInput<Name>, 'body'>

/** The body; undefined while something is missing, which the fields then say. */
export type BodyOf<Of> = string extends keyof Of
  ? { readonly body?: () => object }
  : Partial<Of> extends Of
    ? { readonly body?: () => Of | undefined }
    : { readonly body: () => Of | undefined }

export function ActionDialog<Name extends ActName, Values extends object = object>({
  call,
  review,
  approval,
  done,
  onAnswer,
  changed,
  onClose: close,
  ...props
}: ActionProps<Name, Values> & BodyOf<Body<Name>> & Closing) {
  const { draft } = props as FormProps<Values>
  const kept = draft !== undefined && 'keyOf' in draft ? (draft as KeptDraft<Values>) : undefined
  const act = useAct(changed, kept)
  const reviewed = useReviewed(act, review)
  // A draft outlives a reload, and not the person's own end of it.
  const onClose = () => {
    kept?.reset()
    close()
  }
  const send = async () => {
    const { id, query, body: bodyOf } = props as Sent
    const body = bodyOf?.()
    if (bodyOf !== undefined && body === undefined) return
    const input = given({ id, query, body })
    if (!(await reviewed.isSeen(input))) return
    const made = await act.attempt(call, input)
    if (made === undefined) return
    const said = typeof done === 'function' ? done(made.answer) : done
    if (said !== undefined) toast(said)
    if (onAnswer === undefined) close()
    else onAnswer(made.answer)
  }
  const form = props as FormProps<Values>
  return (
    <FormDialog
      {...form}
      notice={reviewed.approvers && approval?.(reviewed.approvers)}
      error={act.error}
      isBusy={act.isBusy}
      onSend={send}
      onClose={onClose}
    />
  )
}

/** The review of what is sent. What needs approval is shown once, and done when the same is sent again. */
function useReviewed(
  act: Act,
  review: ReviewName | undefined,
): {
  readonly approvers: readonly string[] | undefined
  readonly isSeen: (input: Parts) => Promise<boolean>
} {
  const [seen, setSeen] = useState<{ readonly text: string; readonly approvers: readonly string[] }>()
  return {
    approvers: seen?.approvers,
    isSeen: async (input) => {
      if (review === undefined) return true
      const found = await act.attempt(review, input)
      if (found === undefined) return false
      const { approvers, isMade } = found.answer
      const text = writeJson(input)
      if (approvers === undefined || isMade === true || seen?.text === text) return true
      setSeen({ text, approvers })
      return false
    },
  }
}

type Sent = {
  readonly id?: string
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: () => object | undefined
}

/** How the button looks that opens a dialog. `about`: what it is about, where several have the same words. */
export type Opener = {
  readonly variant?: NonNullable<ComponentProps<typeof Button>['variant']> | undefined
  readonly opener?: Pick<ComponentProps<typeof Button>, 'icon' | 'className'> | undefined
  readonly about?: string | undefined
}

/** A button that asks first: its dialog has the same words. */
export function ActionButton<Name extends ActName, Values extends object = object>({
  variant,
  opener,
  about,
  ...dialog
}: ActionProps<Name, Values> & BodyOf<Body<Name>> & Opener) {
  const props = { isDanger: variant === 'danger', ...dialog } as unknown as ActionProps<Name, Values> &
    BodyOf<Body<Name>>
  return (
    <OpenerButton
      {...{ variant, opener, about, act: dialog.act, onOpen: dialog.draft?.reset }}
      dialog={(onClose) => <ActionDialog {...props} onClose={onClose} />}
    />
  )
}

export function OpenerButton({
  variant = 'plain',
  opener,
  about,
  act,
  ...rest
}: Opener & { readonly act: string } & Pick<ComponentProps<typeof DialogButton>, 'dialog' | 'onOpen'>) {
  return (
    <DialogButton variant={variant} {...opener} {...rest}>
      {act}
      {about !== undefined && <span className="aside">: {about}</span>}
    </DialogButton>
  )
}
