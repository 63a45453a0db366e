import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'

/** Transfers between a platform and its sub-account, and the grants by which the platform takes. */
export const grantWords = dictionary({
  title: ['Autorizações de transferência', 'Transfer grants', 'Autorizaciones de transferencia'],
  ownLead: [
    'Com uma autorização, a plataforma à qual esta conta pertence transfere dinheiro das suas carteiras para as dela. Só pessoas e chaves desta conta podem autorizar.',
    'With a grant, the platform that this account belongs to moves money from your wallets to its own. Only people and keys of this account can give one.',
    'Con una autorización, la plataforma a la que pertenece esta cuenta transfiere dinero de sus billeteras a las de ella. Solo personas y claves de esta cuenta pueden autorizar.',
  ],
  theirsLead: [
    'O que esta subconta autoriza você a transferir das carteiras dela para as suas.',
    'What this sub-account lets you move from its wallets to yours.',
    'Lo que esta subcuenta le autoriza a transferir de sus billeteras a las de usted.',
  ],
  none: ['Nenhuma autorização ainda', 'No grants yet', 'Todavía no hay autorizaciones'],
  ownNone: [
    'Sem uma autorização, ninguém pode transferir dinheiro das suas carteiras.',
    'Without a grant, nobody can transfer money from your wallets.',
    'Sin una autorización, nadie puede transferir dinero de sus billeteras.',
  ],
  theirsNone: [
    'A subconta autoriza nas configurações dela, ou com uma chave dela.',
    'The sub-account gives one in its settings, or with a key of its own.',
    'La subcuenta autoriza en sus ajustes, o con una clave propia.',
  ],
  give: ['Autorizar', 'Give a grant', 'Autorizar'],
  giveLead: [
    'A plataforma pode transferir até o valor e o dia que você escolher. Você pode revogar quando quiser.',
    'The platform may move up to the amount and until the day that you choose. You can revoke it at any time.',
    'La plataforma puede transferir hasta el importe y el día que usted elija. Puede revocarla cuando quiera.',
  ],
  giveDone: ['Autorização criada', 'Grant given', 'Autorización creada'],
  most: ['Valor máximo no total', 'Maximum in total', 'Importe máximo en total'],
  mostWrong: [
    'Digite um valor ou escolha um último dia.',
    'Enter an amount or choose a last day.',
    'Escriba un importe o elija un último día.',
  ],
  lastDay: ['Último dia (opcional)', 'Last day (optional)', 'Último día (opcional)'],
  description: ['Para quê (opcional)', 'What for (optional)', 'Para qué (opcional)'],
  status: commonWords.state,
  statuses: {
    ACTIVE: commonWords.active,
    USED_UP: ['Usada', 'Used up', 'Usada'],
    EXPIRED: ['Vencida', 'Expired', 'Vencida'],
    REVOKED: commonWords.revoked,
  },
  allowed: ['Autorizado', 'Allowed', 'Autorizado'],
  anyAmount: ['qualquer valor', 'any amount', 'cualquier importe'],
  taken: ['Já transferido', 'Transferred so far', 'Ya transferido'],
  revoke: ['Revogar', 'Revoke', 'Revocar'],
  revokeTitle: ['Revogar a autorização?', 'Revoke the grant?', '¿Revocar la autorización?'],
  revokeLead: [
    'Nada mais pode ser transferido com ela. O que já foi transferido não volta.',
    'Nothing more can be transferred with it. What was transferred does not come back.',
    'Ya no se puede transferir nada con ella. Lo que se transfirió no vuelve.',
  ],
  revokeDone: ['Autorização revogada', 'Grant revoked', 'Autorización revocada'],
  pay: ['Transferir para a subconta', 'Transfer to the sub-account', 'Transferir a la subcuenta'],
  payLead: [
    'O dinheiro vai na hora para a carteira padrão dela. Primeiro, paga o que ela deve.',
    'The money goes to its default wallet at once. It first pays what the sub-account owes.',
    'El dinero va al instante a su billetera predeterminada. Primero paga lo que la subcuenta debe.',
  ],
  take: ['Transferir para mim', 'Transfer to me', 'Transferir a mí'],
  takeLead: [
    'O dinheiro vem na hora da carteira padrão dela, com a autorização que ela deu.',
    'The money comes from its default wallet at once, with the grant that it gave.',
    'El dinero viene al instante de su billetera predeterminada, con la autorización que dio.',
  ],
  from: ['Da carteira', 'From wallet', 'De la billetera'],
  to: ['Para a carteira', 'To wallet', 'A la billetera'],
  amountWrong: (most: string) => [
    `Digite um valor entre 0,01 e ${most}.`,
    `Enter an amount between 0.01 and ${most}.`,
    `Escriba un importe entre 0,01 y ${most}.`,
  ],
  amountMissing: [
    'Digite um valor de pelo menos 0,01.',
    'Enter an amount of at least 0.01.',
    'Escriba un importe de al menos 0,01.',
  ],
  note: [
    'Descrição (aparece nos dois extratos)',
    'Description (shown in both statements)',
    'Descripción (aparece en los dos extractos)',
  ],
  move: (amount: string) => [`Transferir ${amount}`, `Transfer ${amount}`, `Transferir ${amount}`],
  moveShort: ['Transferir', 'Transfer', 'Transferir'],
  moved: (amount: string) => [`${amount} transferidos.`, `${amount} transferred.`, `${amount} transferidos.`],
  nowhere: [
    'Você não tem uma carteira ativa nesta moeda.',
    'You have no active wallet in this currency.',
    'No tiene una billetera activa en esta moneda.',
  ],
})
