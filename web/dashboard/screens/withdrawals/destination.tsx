// The fields of a destination: a Pix key with its type, an address on the chain, or a bank account with its holder.
import { pixKeyTypes, withdrawalTypes, type PixKeyType, type WithdrawalType } from '../../api/generated.ts'
import { codeOf, faultOf } from '../../api/problem.ts'
import { type Destination } from '../../api/withdrawals.ts'
import { hasAddressForm } from '../../kit/address.ts'
import { RadioCards, TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'

export type DestinationDraft = {
  readonly type: WithdrawalType
  readonly keyType: PixKeyType
  readonly key: string
  readonly address: string
  readonly iban: string
  readonly holder: string
}

export const emptyDestination: DestinationDraft = {
  type: 'PIX',
  keyType: 'CPF',
  key: '',
  address: '',
  iban: '',
  holder: '',
}

/** The fields of the body; undefined when something is missing. The server checks the rest. */
export function destinationOf(draft: DestinationDraft): Destination | undefined {
  const { type, keyType } = draft
  const [pixKey, cryptoAddress] = [draft.key.trim(), draft.address.trim()]
  const [iban, beneficiary] = [draft.iban.trim(), draft.holder.trim()]
  switch (type) {
    case 'PIX':
      return pixKey === '' ? undefined : { type, pixKey, pixKeyType: keyType }
    case 'CRYPTO':
      return hasAddressForm(cryptoAddress) ? { type, cryptoAddress } : undefined
    case 'SEPA':
      return isIban(iban) && beneficiary !== '' ? { type, iban, beneficiary } : undefined
  }
}

/** Whether the text has the form of an IBAN. Its check digits are the server's. */
function isIban(text: string): boolean {
  return /^[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}$/i.test(text.trim())
}

type FieldsProps = {
  readonly draft: DestinationDraft
  readonly onChange: (draft: DestinationDraft) => void
  /** Whether the server refused the field as it is written. */
  readonly isRefused: (name: string) => boolean
  readonly wasTried: boolean
}

export function DestinationFields({
  error,
  ...props
}: Omit<FieldsProps, 'isRefused'> & { readonly error: unknown }) {
  const words = useWords(withdrawalWords)
  const { draft, onChange } = props
  // Another refusal, such as of a destination that is not listed, is no mistake of writing.
  const isRefused = (name: string) =>
    codeOf(error) === 'invalid_request' && faultOf(error, name) !== undefined
  const Fields = { PIX: PixFields, CRYPTO: AddressField, SEPA: AccountFields }[draft.type]
  return (
    <>
      <RadioCards
        legend={words.type}
        value={draft.type}
        onChange={(value) => onChange({ ...draft, type: value })}
        options={withdrawalTypes.map((value) => ({
          value,
          label: words.types[value],
          help: words.typeHelp[value],
        }))}
      />
      <Fields {...props} isRefused={isRefused} />
    </>
  )
}

function PixFields({ draft, onChange, isRefused, wasTried }: FieldsProps) {
  const words = useWords(withdrawalWords)
  const { keyType, key } = draft
  const isMissing = wasTried && destinationOf(draft) === undefined
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-[170px_minmax(0,1fr)]">
      <SelectField
        label={words.keyType}
        value={keyType}
        onChange={(event) =>
          onChange({ ...draft, keyType: pixKeyTypes.find((each) => each === event.target.value) ?? keyType })
        }
        options={pixKeyTypes.map((value) => ({ value, label: words.keyTypes[value] }))}
      />
      <TextField
        label={words.key}
        value={key}
        maxLength={77}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ ...draft, key: event.target.value })}
        fault={isMissing ? words.keyMissing : isRefused('pixKey') ? words.keyWrong[keyType] : undefined}
      />
    </div>
  )
}

function AddressField({ draft, onChange, isRefused, wasTried }: FieldsProps) {
  const words = useWords(withdrawalWords)
  const isMissing = wasTried && destinationOf(draft) === undefined
  return (
    <TextField
      label={words.address}
      help={words.addressHelp}
      value={draft.address}
      autoComplete="off"
      spellCheck={false}
      placeholder="0x…"
      className="font-mono text-13!"
      onChange={(event) => onChange({ ...draft, address: event.target.value })}
      fault={isMissing || isRefused('cryptoAddress') ? words.addressWrong : undefined}
    />
  )
}

function AccountFields({ draft, onChange, isRefused, wasTried }: FieldsProps) {
  const words = useWords(withdrawalWords)
  const { iban, holder } = draft
  const isIbanWrong = (wasTried && !isIban(iban)) || isRefused('iban')
  const isHolderMissing = (wasTried && holder.trim() === '') || isRefused('beneficiary')
  return (
    <>
      <TextField
        label={words.iban}
        value={iban}
        maxLength={42}
        autoComplete="off"
        spellCheck={false}
        className="font-mono text-13!"
        onChange={(event) => onChange({ ...draft, iban: event.target.value })}
        fault={isIbanWrong ? words.ibanWrong : undefined}
      />
      <TextField
        label={words.beneficiary}
        help={words.beneficiaryHelp}
        value={holder}
        maxLength={70}
        autoComplete="off"
        onChange={(event) => onChange({ ...draft, holder: event.target.value })}
        fault={isHolderMissing ? words.beneficiaryMissing : undefined}
      />
    </>
  )
}
