import { dictionary } from './dictionary.ts'

/** What waits for the approval of another person: before it is requested, and while it waits. */
export const approvalWords = dictionary({
  somebody: (names: string) => [
    `Precisa da aprovação de outra pessoa antes de sair. Podem aprovar: ${names}.`,
    `It needs another person’s approval before it is sent. Who can approve: ${names}.`,
    `Necesita la aprobación de otra persona antes de salir. Pueden aprobar: ${names}.`,
  ],
  nobody: [
    'Precisa da aprovação de outra pessoa antes de sair, e ninguém mais da conta pode aprovar. Convide alguém em Pessoas.',
    'It needs another person’s approval before it is sent, and nobody else on the account can approve it. Invite someone under People.',
    'Necesita la aprobación de otra persona antes de salir, y nadie más de la cuenta puede aprobarlo. Invite a alguien en Personas.',
  ],
})
