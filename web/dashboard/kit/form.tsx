// Forms whose fields are data: what is written so far, a line for each field, and the dialog of a form.
import {
  Fragment,
  isValidElement,
  useState,
  type ComponentProps,
  type FormEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { faultOf } from '../api/problem.ts'
import { kitWords } from '../words/kit.ts'
import { useReader, useWords } from '../words/reader.ts'
import { Button } from './button.tsx'
import { DateField } from './date-input.tsx'
import { dateHint, isDay } from './date-text.ts'
import { Dialog, DialogActions } from './dialog.tsx'
import { FormFault } from './fault.tsx'
import {
  AmountField,
  PasswordField,
  RadioCards,
  TextField,
  type Wrong,
  TextArea,
  SelectField,
} from './field.tsx'
import type { IconName } from './icons.tsx'

/** What is written so far. */
export type Draft<Values> = {
  readonly values: Values
  readonly put: (changes: Partial<Values>) => void
  /** As it was at first: a dialog begins anew each time. */
  readonly reset: () => void
}

export function useDraft<Values extends object>(first: Values | (() => Values)): Draft<Values> {
  const [values, setValues] = useState(first)
  return {
    values,
    put: (changes) => setValues((before) => ({ ...before, ...changes })),
    reset: () => setValues(first),
  }
}

type Choice<Value> = { readonly value: Value; readonly label: string; readonly help?: string }
type Attributes = Omit<ComponentProps<'input'>, 'name' | 'value' | 'onChange' | 'children'>

/** How a text is written; a line of its own where nothing is said. */
type Kind<Value> =
  | { readonly options: readonly (Value | Choice<Value>)[]; readonly disabled?: boolean }
  | { readonly cards: readonly Choice<Value>[] }
  /** A day, such as `2026-11-30`. What is no day is said, and nothing is sent. */
  | { readonly isDate: true; readonly required?: boolean }
  | ({
      /** It is an amount in this currency. */
      readonly currency?: string
      readonly isPassword?: boolean
      /** So many lines high. */
      readonly rows?: number
    } & Attributes)

/** What is wrong with a field. */
type Check = {
  /** As it is written: said after the first try, and nothing is sent. */
  readonly wrong?: string | false | undefined
  /** The same, said at once. */
  readonly fault?: Wrong
  /** In place of what the server says of it. */
  readonly refused?: string | ((error: unknown) => string | undefined) | undefined
  /** The field of the body, where it has another name; '' for none. */
  readonly at?: string | undefined
}

type FieldOf<Values, Name extends keyof Values & string> = Check & {
  readonly name: Name
  readonly label: string
  readonly help?: ReactNode
  /** What else changes with it. */
  readonly also?: (value: Values[Name]) => Partial<Values>
} & Kind<Values[Name]>

/** A field; several side by side; one of its own kind, which shows its fault; or anything else that stands between fields. */
export type Item<Values> =
  | {
      [Name in keyof Values & string]: Values[Name] extends string ? FieldOf<Values, Name> : never
    }[keyof Values & string]
  | { readonly row: readonly Item<Values>[]; readonly className?: string }
  | (Check & { readonly at: string; readonly field: (fault: Wrong) => ReactElement })
  | ReactElement
  | false
  | undefined

type FieldsProps<Values> = {
  readonly draft: Draft<Values>
  readonly items: readonly Item<NoInfer<Values>>[]
  readonly error: unknown
  readonly wasTried?: boolean
}

export function Fields<Values extends object>({ items, ...shared }: FieldsProps<Values>) {
  return items.map((item, index) => {
    if (item === false || item === undefined) return null
    if (isValidElement(item)) return <Fragment key={item.key ?? index}>{item}</Fragment>
    if ('row' in item)
      return (
        <div key={index} className={`grid gap-4 ${item.className ?? 'grid-cols-1 sm:grid-cols-2'}`}>
          <Fields {...shared} items={item.row} />
        </div>
      )
    if ('field' in item)
      return <Fragment key={item.at}>{item.field(faultIn(item, item.at, shared))}</Fragment>
    return <OneField key={item.name} {...shared} field={item as unknown as AnyField<Values>} />
  })
}

function faultIn(
  { wrong, fault, refused }: Check,
  at: string,
  { error, wasTried = false }: Pick<FieldsProps<object>, 'error' | 'wasTried'>,
): Wrong {
  const now = wasTried && wrong !== false ? wrong : undefined
  const special = typeof refused === 'function' ? refused(error) : refused
  return fault ?? now ?? special ?? (at === '' ? undefined : faultOf(error, at))
}

/** Whether a field is wrong as it is written. */
function isWrong<Values>(item: Item<Values>, values: Values): boolean {
  if (item === false || item === undefined || isValidElement(item)) return false
  if ('row' in item) return item.row.some((each) => isWrong(each, values))
  if ('isDate' in item && isNoDay(item, String(values[item.name]))) return true
  const { wrong, fault } = item as Check
  return (wrong ?? false) !== false || typeof fault === 'string'
}

function isNoDay({ required = false }: { readonly required?: boolean }, value: string): boolean {
  return value === '' ? required : !isDay(value)
}

/** What is said of a day that is none, or that is missing. */
function useDateForm(): (value: string) => string {
  const words = useWords(kitWords)
  const hint = dateHint(useReader().locale)
  return (value) => (value === '' ? words.dateMissing : words.dateWrong)(hint)
}

type AnyField<Values> = Omit<FieldOf<Record<string, string>, string>, 'also'> & {
  readonly also?: (value: string) => Partial<Values>
} & Kind<string>

function OneField<Values extends object>({
  draft,
  field,
  ...shown
}: Omit<FieldsProps<Values>, 'items'> & { readonly field: AnyField<Values> }) {
  const { name, label, help, wrong, fault: now, refused, at = name, also, ...rest } = field
  const value = String(draft.values[name as keyof Values])
  const form = useDateForm()
  const noDay = 'isDate' in rest && isNoDay(rest, value) ? form(value) : undefined
  const fault = faultIn({ wrong: noDay ?? wrong, fault: now, refused }, at, shown)
  const put = (text: string) => draft.put({ [name]: text, ...also?.(text) })
  const onChange = ({ target }: { readonly target: { readonly value: string } }) => put(target.value)
  const shared = { label, help, fault, value, onChange }
  if ('cards' in rest) return <RadioCards legend={label} value={value} options={rest.cards} onChange={put} />
  if ('isDate' in rest)
    return (
      <DateField
        label={label}
        help={help}
        fault={fault}
        value={value}
        onChange={put}
        aria-required={rest.required}
      />
    )
  if ('options' in rest)
    return (
      <SelectField
        {...shared}
        disabled={rest.disabled}
        options={rest.options.map((each) => (typeof each === 'string' ? { value: each, label: each } : each))}
      />
    )
  const { currency, isPassword, rows, ...own } = rest
  // A browser that fills a field in knows it by its name.
  const attributes = own.autoComplete === undefined ? own : { ...own, name }
  if (currency !== undefined) return <AmountField {...attributes} {...shared} currency={currency} />
  if (isPassword === true) return <PasswordField {...attributes} {...shared} />
  if (rows === undefined) return <TextField {...attributes} {...shared} />
  const { spellCheck, className } = attributes
  return <TextArea {...shared} rows={rows} spellCheck={spellCheck} className={className} />
}

/** Values by their names, for a choice. */
export function named<const Value extends string>(
  values: readonly Value[],
  nameOf: Readonly<Record<Value, string>> | ((value: Value) => string),
): readonly Choice<Value>[] {
  const labelOf = typeof nameOf === 'function' ? nameOf : (value: Value) => nameOf[value]
  return values.map((value) => ({ value, label: labelOf(value) }))
}

export type FormProps<Values> = {
  readonly title: string
  readonly lead?: ReactNode
  /** What stands above the fields: what it is about. */
  readonly children?: ReactNode
  readonly draft?: Draft<Values>
  readonly fields?: readonly Item<NoInfer<Values>>[]
  /** The words of the button, its icon, and whether nothing can be sent now. */
  readonly act: string
  readonly icon?: IconName
  readonly isDanger?: boolean
  readonly isIdle?: boolean
  /** The words of the button that closes it, where it does not cancel. */
  readonly cancel?: string
  /** The browser checks the fields too. */
  readonly isChecked?: boolean
  /** Above the buttons: what it would come to. */
  readonly notice?: ReactNode
  /** In place of the usual sentence about a refusal. */
  readonly refusal?: ((error: unknown) => ReactNode) | undefined
}

export type Closing = { readonly onClose: () => void }

const nothing = { values: {}, put: () => undefined, reset: () => undefined }

/** The dialog of a form. `onSend` is called when no field is wrong as it is written. */
export function FormDialog<Values extends object>({
  title,
  lead,
  children,
  draft,
  fields = [],
  error,
  isBusy,
  onSend,
  onClose,
  ...props
}: FormProps<Values> &
  Closing & {
    readonly error: unknown
    readonly isBusy: boolean
    readonly onSend: () => Promise<unknown>
  }) {
  const [wasTried, setTried] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!fields.some((field) => isWrong(field, draft?.values ?? ({} as Values)))) void onSend()
  }
  return (
    <Dialog open onClose={onClose} title={title} lead={lead}>
      <form onSubmit={submit} className="flex flex-col gap-4" noValidate={props.isChecked !== true}>
        {children}
        <Fields
          draft={draft ?? (nothing as unknown as Draft<Values>)}
          items={fields}
          error={error}
          wasTried={wasTried}
        />
        {props.notice}
        {props.refusal?.(error) ?? <FormFault error={error} />}
        <DialogActions onCancel={onClose} cancel={props.cancel}>
          <Button
            type="submit"
            variant={props.isDanger === true ? 'danger' : 'primary'}
            icon={props.icon}
            busy={isBusy}
            disabled={props.isIdle}
          >
            {props.act}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
