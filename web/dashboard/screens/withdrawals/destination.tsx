// The fields of a destination: a Pix key with its type, an address on the chain, or a bank account with its holder.
import { pixKeyTypes, withdrawalTypes, type PixKeyType, type WithdrawalType } from '../../api/generated.ts'
import { codeOf, faultOf, reasonOf } from '../../api/problem.ts'
import type { Destination } from '../../api/withdrawals.ts'
import { Fields, named, type Item } from '../../kit/form.tsx'
import { hasAddressForm } from '../../kit/format.ts'
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
  const types = withdrawalTypes.map((value) => ({
    value,
    label: words.types[value],
    help: words.typeHelp[value],
  }))
  return (
    <Fields
      draft={{
        values: draft,
        put: (changes) => onChange({ ...draft, ...changes }),
        reset: () => onChange(emptyDestination),
      }}
      items={[{ name: 'type', label: words.type, cards: types }, ...useItems(draft, error)]}
      error={error}
      wasTried={wasTried}
    />
  )
}

/** What is asked of the chosen type. */
function useItems(
  { type, keyType, key, address, iban, holder }: DestinationDraft,
  error: unknown,
): readonly Item<DestinationDraft>[] {
  const words = useWords(withdrawalWords)
  const text = { autoComplete: 'off', spellCheck: false } as const
  const mono = { ...text, className: 'font-mono text-13!' }
  const refused = (name: string, sentence: string) => {
    if (faultOf(error, name) === undefined) return undefined
    if (codeOf(error) === 'destination_not_allowed')
      return reasonOf(error) === 'own_place' ? words.ownPlace : words.notListed
    return codeOf(error) === 'invalid_request' ? sentence : undefined
  }
  const items: Readonly<Record<WithdrawalType, readonly Item<DestinationDraft>[]>> = {
    PIX: [
      {
        className: 'grid-cols-1 sm:grid-cols-[170px_minmax(0,1fr)]',
        row: [
          { name: 'keyType', label: words.keyType, at: '', options: named(pixKeyTypes, words.keyTypes) },
          {
            name: 'key',
            label: words.key,
            at: '',
            maxLength: 77,
            ...text,
            wrong: key.trim() === '' && words.keyMissing,
            refused: refused('pixKey', words.keyWrong[keyType]),
          },
        ],
      },
    ],
    CRYPTO: [
      {
        name: 'address',
        label: words.address,
        at: '',
        help: words.addressHelp,
        placeholder: '0x…',
        ...mono,
        wrong: !hasAddressForm(address) && words.addressWrong,
        refused: refused('cryptoAddress', words.addressWrong),
      },
    ],
    SEPA: [
      {
        name: 'iban',
        label: words.iban,
        at: '',
        maxLength: 42,
        ...mono,
        wrong: !isIban(iban) && words.ibanWrong,
        refused: refused('iban', words.ibanWrong),
      },
      {
        name: 'holder',
        label: words.beneficiary,
        at: '',
        help: words.beneficiaryHelp,
        maxLength: 70,
        autoComplete: 'off',
        wrong: holder.trim() === '' && words.beneficiaryMissing,
        refused: refused('beneficiary', words.beneficiaryMissing),
      },
    ],
  }
  return items[type]
}
