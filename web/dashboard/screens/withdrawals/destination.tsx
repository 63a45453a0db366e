// The fields of a destination: a Pix key with its type, or an address on the chain.
import { codeOf, faultOf } from '../../api/problem.ts'
import {
  pixKeyTypes,
  withdrawalTypes,
  type Destination,
  type PixKeyType,
  type WithdrawalType,
} from '../../api/withdrawals.ts'
import { RadioCards, TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { useWords } from '../../words/reader.ts'
import { withdrawalWords } from '../../words/withdrawals.ts'

export type DestinationDraft = {
  readonly type: WithdrawalType
  readonly keyType: PixKeyType
  readonly key: string
  readonly address: string
}

export const emptyDestination: DestinationDraft = { type: 'PIX', keyType: 'CPF', key: '', address: '' }

/** The fields of the body; undefined when something is missing. The server checks the rest. */
export function destinationOf({ type, keyType, key, address }: DestinationDraft): Destination | undefined {
  if (type === 'CRYPTO')
    return /^0x[0-9a-fA-F]{40}$/.test(address.trim()) ? { type, cryptoAddress: address.trim() } : undefined
  return key.trim() === '' ? undefined : { type, pixKey: key.trim(), pixKeyType: keyType }
}

export function DestinationFields({
  draft,
  onChange,
  error,
  wasTried,
}: {
  readonly draft: DestinationDraft
  readonly onChange: (draft: DestinationDraft) => void
  readonly error: unknown
  readonly wasTried: boolean
}) {
  const words = useWords(withdrawalWords)
  const { type, keyType, key, address } = draft
  const isMissing = wasTried && destinationOf(draft) === undefined
  // Another refusal, such as of a destination that is not listed, is no mistake of writing.
  const isRefused = (name: string) =>
    codeOf(error) === 'invalid_request' && faultOf(error, name) !== undefined
  return (
    <>
      <RadioCards
        legend={words.type}
        value={type}
        onChange={(value) => onChange({ ...draft, type: value })}
        options={withdrawalTypes.map((value) => ({
          value,
          label: words.types[value],
          help: words.typeHelp[value],
        }))}
      />
      {type === 'PIX' ? (
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-[170px_minmax(0,1fr)]">
          <SelectField
            label={words.keyType}
            value={keyType}
            onChange={(event) =>
              onChange({
                ...draft,
                keyType: pixKeyTypes.find((each) => each === event.target.value) ?? keyType,
              })
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
      ) : (
        <TextField
          label={words.address}
          help={words.addressHelp}
          value={address}
          autoComplete="off"
          spellCheck={false}
          placeholder="0x…"
          className="font-mono text-13!"
          onChange={(event) => onChange({ ...draft, address: event.target.value })}
          fault={isMissing || isRefused('cryptoAddress') ? words.addressWrong : undefined}
        />
      )}
    </>
  )
}
