import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

/** The first screen of the console. */
export const operatorOverviewWords = dictionary({
  title: ['Pendências', 'To do', 'Pendientes'],
  nothing: ['Tudo em dia', 'You’re all caught up', 'Todo al día'],
  nothingLead: [
    'Decisões, valores não identificados, certificados e falhas aparecem aqui.',
    'Decisions, unidentified receipts, certificates and failures appear here.',
    'Decisiones, importes no identificados, certificados y fallos aparecen aquí.',
  ],
  waits: ['Aguardam uma pessoa', 'Waiting for a person', 'Esperan a una persona'],
  counts: {
    approvals: [
      'Solicitações a aprovar por outra pessoa',
      'Requests for another person to approve',
      'Solicitudes que aprueba otra persona',
    ],
    suspense: ['Valores não identificados', 'Unidentified receipts', 'Importes no identificados'],
    parked: [
      'Notificações que não puderam ser processadas',
      'Notifications that could not be processed',
      'Notificaciones que no se pudieron procesar',
    ],
    typos: [
      'Transferências com erro na referência',
      'Transfers with a typo in the reference',
      'Transferencias con un error en la referencia',
    ],
    held: ['Movimentos bancários retidos', 'Held bank movements', 'Movimientos bancarios retenidos'],
    foreign: [
      'Valores em moedas que a contabilidade não tem',
      'Amounts in currencies that the books do not have',
      'Importes en monedas que la contabilidad no tiene',
    ],
    paymentFiles: [
      'Arquivos de pagamento a enviar ao banco',
      'Payment files to upload to the bank',
      'Archivos de pago por enviar al banco',
    ],
    withdrawals: [
      'Saques cujo resultado é preciso descobrir',
      'Withdrawals whose outcome is unknown',
      'Retiros cuyo resultado hay que averiguar',
    ],
    wallets: ['Carteiras paradas', 'Stopped wallets', 'Billeteras detenidas'],
  },
  connections: ['Conexões', 'Connections', 'Conexiones'],
  ends: (when: string) => [
    `Um certificado vence em ${when}`,
    `A certificate expires on ${when}`,
    `Un certificado vence el ${when}`,
  ],
  ended: (when: string) => [
    `Um certificado venceu em ${when}`,
    `A certificate expired on ${when}`,
    `Un certificado venció el ${when}`,
  ],
  notAll: [
    'Há mais conexões do que as verificadas aqui.',
    'There are more connections than were checked here.',
    'Hay más conexiones que las revisadas aquí.',
  ],
  failing: ['A última chamada falhou', 'The last call failed', 'La última llamada falló'],
  chains: ['Redes', 'Chains', 'Redes'],
  queues: ['Filas com falhas', 'Queues with failures', 'Colas con fallos'],
  failures: (count: string) =>
    counted(
      count,
      [`${count} falha`, `${count} failure`, `${count} fallo`],
      [`${count} falhas`, `${count} failures`, `${count} fallos`],
    ),
  books: ['Contabilidade', 'Books', 'Contabilidad'],
  verified: ['Última conferência', 'Last verified', 'Última verificación'],
  neverVerified: [
    'A contabilidade ainda não foi conferida aqui.',
    'The books have not been verified here yet.',
    'La contabilidad todavía no se verificó aquí.',
  ],
  verify: ['Conferir agora', 'Verify now', 'Verificar ahora'],
  open: ['Abrir', 'Open', 'Abrir'],
})
