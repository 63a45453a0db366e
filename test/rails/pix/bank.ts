// The bank simulator for tests: a process of its own on free ports, which can be killed and restarted on the same ports.
import { must } from '#/kernel/check.ts'
import { callControl, startProgram, type Json, type Program } from '../../../simulators/kit/harness.ts'

/** A Pix that the bank made. */
export type BankPix = {
  readonly endToEndId: string
  readonly txid?: string
  readonly valor: string
  readonly horario: string
}

/** A charge as the control call shows it. */
export type BankCharge = {
  readonly txid: string
  readonly status: string
  readonly revisao: number
  readonly valor: { readonly original: string }
  readonly pix?: readonly (BankPix & { readonly devolucoes?: readonly Json[] })[]
}

export type PixBank = AsyncDisposable & {
  readonly apiUrl: string
  readonly controlUrl: string
  readonly control: Program['control']
  /** A new customer, as a connection keeps it: one application collects money, the other refunds it. */
  customer(more?: Json): Promise<BankCustomer>
  pay(txid: string, more?: Json): Promise<readonly BankPix[]>
  /** The same for a single payment. Returns its end-to-end id. */
  paid(txid: string, more?: Json): Promise<string>
  /** The charges with this txid; without one, the last ones. */
  charges(txid?: string): Promise<readonly BankCharge[]>
  /** SIGKILL. */
  kill(): Promise<void>
  /** Again, on the same ports. */
  start(): Promise<void>
}

export type BankCustomer = {
  readonly settings: Json & { readonly pixKey: string; readonly ca: string }
  readonly secrets: BankSecrets
  readonly refundSecrets: BankSecrets
}

export type BankSecrets = {
  readonly clientId: string
  readonly clientSecret: string
  readonly certificate: string
  readonly privateKey: string
}

export type PixBankOptions = {
  /** Whether amounts and recipients have magic meanings. */
  readonly magic?: boolean
  readonly args?: readonly string[]
}

/** Starts a bank. Its own waiting times are divided by 50. */
export async function startPixBank({ magic = false, args = [] }: PixBankOptions = {}): Promise<PixBank> {
  const spells = magic ? [] : ['--no-magic']
  const program = await startProgram('pix-bank', { args: ['--speed', '50', ...spells, ...args] })
  return {
    apiUrl: program.apiUrl,
    controlUrl: program.controlUrl,
    ...callsOf(program),
    kill: async () => void (await program.kill('SIGKILL')),
    start: program.start,
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  }
}

/** The control calls of any bank by its addresses, also of one that an installation started. */
export function callsOf({ apiUrl, controlUrl }: { readonly apiUrl: string; readonly controlUrl: string }) {
  const control: PixBank['control'] = (method, path, body) => callControl(controlUrl, method, path, body)
  const pay = async (txid: string, more: Json = {}): Promise<readonly BankPix[]> => {
    const { pix } = await control('POST', '/pay', { txid, ...more })
    return pix as readonly BankPix[]
  }
  return {
    control,
    async customer(more: Json = {}): Promise<BankCustomer> {
      const { ca, pixKey, receiver, ...secrets } = await control('POST', '/applications', more)
      const {
        ca: _ca,
        pixKey: _key,
        receiver: _shown,
        ...refundSecrets
      } = await control('POST', '/applications', {
        ...more,
        pixKey,
      })
      const { name, city } = receiver as { name: string; city: string }
      return {
        settings: {
          profile: 'bacen',
          baseUrl: `${apiUrl}/v2`,
          tokenUrl: `${apiUrl}/oauth/token`,
          pixKey: String(pixKey),
          ca: String(ca),
          receiverName: name,
          receiverCity: city,
        },
        secrets: secrets as BankSecrets,
        refundSecrets: refundSecrets as BankSecrets,
      }
    },
    pay,
    paid: async (txid: string, more: Json = {}): Promise<string> =>
      must((await pay(txid, more))[0], 'it was paid').endToEndId,
    async charges(txid?: string): Promise<readonly BankCharge[]> {
      const query = txid === undefined ? 'limit=10000' : `txid=${txid}`
      const { charges } = await control('GET', `/charges?${query}`)
      return charges as readonly BankCharge[]
    },
  }
}
