// The dialog of one request that changes something: what will happen, its fields, and the button that does it.
import type { ComponentProps } from 'react'
import { given } from '#/kernel/given.ts'
import { useAct } from '../api/act.ts'
import type { ActName, Answer, Body, OwnInput } from '../api/call.ts'
import type { Button } from './button.tsx'
import { DialogButton } from './dialog.tsx'
import { FormDialog, type Closing, type FormProps } from './form.tsx'
import { toast } from './toast.tsx'

export type ActionProps<Name extends ActName, Values> = FormProps<Values> & {
  readonly call: Name
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
  done,
  onAnswer,
  changed,
  ...props
}: ActionProps<Name, Values> & BodyOf<Body<Name>> & Closing) {
  const act = useAct(changed)
  const send = async () => {
    const { id, query, body: bodyOf } = props as Sent
    const body = bodyOf?.()
    if (bodyOf !== undefined && body === undefined) return
    const made = await act.attempt(call, given({ id, query, body }))
    if (made === undefined) return
    const said = typeof done === 'function' ? done(made.answer) : done
    if (said !== undefined) toast(said)
    if (onAnswer === undefined) props.onClose()
    else onAnswer(made.answer)
  }
  const form = props as FormProps<Values> & Closing
  return <FormDialog {...form} error={act.error} isBusy={act.isBusy} onSend={send} />
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
