import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'
import { merchantNames } from './method-names.ts'

/** What records are called, and how their states and methods are read. */
export const stateWords = dictionary({
  payment: {
    PENDING: commonWords.created,
    WAITING_PAYMENT: ['Aguardando pagamento', 'Awaiting payment', 'Pago pendiente'],
    APPROVED: ['Autorizado', 'Authorized', 'Autorizado'],
    PAID: commonWords.paid,
    EXPIRED: ['Expirado', 'Expired', 'Vencido'],
    FAILED: ['Recusado', 'Declined', 'Rechazado'],
    CANCELED: commonWords.canceled,
  },
  refunded: {
    PARTIAL: ['Reembolsado em parte', 'Partially refunded', 'Reembolsado en parte'],
    FULL: commonWords.refunded,
  },
  exception: {
    UNDERPAID: ['Pago a menos', 'Underpaid', 'Pagado de menos'],
    OVERPAID: ['Pago a mais', 'Overpaid', 'Pagado de más'],
    LATE: ['Pago após o vencimento', 'Paid late', 'Pagado fuera de plazo'],
    DUPLICATE: ['Pago em dobro', 'Paid twice', 'Pagado dos veces'],
  },
  method: merchantNames,
  refund: {
    PENDING: commonWords.underWay,
    COMPLETED: commonWords.refunded,
    FAILED: ['Não concluído', 'Failed', 'Fallido'],
  },
  dispute: {
    OPEN: ['Aberta', 'Open', 'Abierta'],
    WON: ['Ganha', 'Won', 'Ganada'],
    LOST: ['Perdida', 'Lost', 'Perdida'],
  },
  disputeKind: {
    CHARGEBACK: ['Contestação do cartão (chargeback)', 'Chargeback', 'Contracargo'],
    MED: ['Devolução especial do Pix (MED)', 'Pix special return (MED)', 'Devolución especial de Pix (MED)'],
    RECALL: ['Estorno pelo banco', 'Bank recall', 'Reversión por el banco'],
  },
  delivery: {
    PENDING: ['Na fila', 'Queued', 'En cola'],
    DELIVERED: ['Entregue', 'Delivered', 'Entregada'],
    EXHAUSTED: ['Não entregue', 'Not delivered', 'No entregada'],
    CANCELED: ['Cancelada', 'Canceled', 'Cancelada'],
    RETRYING: ['Falhou, nova tentativa em breve', 'Failed, will retry', 'Falló, se reintentará'],
  },
  account: {
    AVAILABLE: commonWords.available,
    PENDING: commonWords.pending,
    HELD: commonWords.held,
    RECEIVABLE: ['A cobrar', 'Receivable', 'Por cobrar'],
    FEES: commonWords.fees,
    OUTSIDE: ['Fora da conta', 'External', 'Fuera de la cuenta'],
  },
  role: {
    OWNER: ['Proprietário', 'Owner', 'Propietario'],
    ADMIN: ['Administrador', 'Administrator', 'Administrador'],
    DEVELOPER: ['Desenvolvedor', 'Developer', 'Desarrollador'],
    FINANCE: ['Financeiro', 'Finance', 'Finanzas'],
    SUPPORT: ['Suporte', 'Support', 'Soporte'],
    VIEWER: ['Visualizador', 'Viewer', 'Lector'],
  },
  mode: {
    LIVE: ['Produção', 'Live', 'Producción'],
    SANDBOX: ['Sandbox', 'Sandbox', 'Sandbox'],
  },
})
