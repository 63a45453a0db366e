import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'
import { merchantNames } from './method-names.ts'

/** What records are called, and how their states and methods are read. */
export const stateWords = dictionary({
  payment: {
    PENDING: commonWords.created,
    WAITING_PAYMENT: ['Aguardando', 'Waiting', 'En espera'],
    APPROVED: ['Autorizado', 'Authorised', 'Autorizado'],
    PAID: commonWords.paid,
    EXPIRED: ['Expirado', 'Expired', 'Vencido'],
    FAILED: ['Recusado', 'Declined', 'Rechazado'],
    CANCELED: commonWords.canceled,
  },
  refunded: {
    PARTIAL: ['Devolvido em parte', 'Partly refunded', 'Devuelto en parte'],
    FULL: commonWords.refunded,
  },
  exception: {
    UNDERPAID: ['Pago a menos', 'Underpaid', 'Pagado de menos'],
    OVERPAID: ['Pago a mais', 'Overpaid', 'Pagado de más'],
    LATE: ['Pago fora do prazo', 'Paid late', 'Pagado tarde'],
    DUPLICATE: ['Pago em dobro', 'Paid twice', 'Pagado dos veces'],
  },
  method: merchantNames,
  refund: {
    PENDING: ['Em andamento', 'On its way', 'En camino'],
    COMPLETED: commonWords.refunded,
    FAILED: ['Falhou', 'Failed', 'Falló'],
  },
  dispute: {
    OPEN: ['Aberta', 'Open', 'Abierta'],
    WON: ['Ganha', 'Won', 'Ganada'],
    LOST: ['Perdida', 'Lost', 'Perdida'],
  },
  disputeKind: {
    CHARGEBACK: ['Contestação do cartão', 'Chargeback', 'Contracargo'],
    MED: ['Devolução especial do Pix (MED)', 'Pix special return (MED)', 'Devolución especial de Pix (MED)'],
    RECALL: [
      'Estorno da transferência pelo banco',
      'Transfer taken back by the bank',
      'Transferencia revertida por el banco',
    ],
  },
  delivery: {
    PENDING: ['A enviar', 'To be sent', 'Por enviar'],
    DELIVERED: ['Entregue', 'Delivered', 'Entregada'],
    EXHAUSTED: ['Não entregue', 'Not delivered', 'No entregada'],
    CANCELED: ['Cancelada', 'Canceled', 'Cancelada'],
    RETRYING: ['Falhou, tenta de novo', 'Failed, tries again', 'Falló, reintenta'],
  },
  account: {
    AVAILABLE: commonWords.available,
    PENDING: commonWords.pending,
    HELD: commonWords.held,
    RECEIVABLE: ['A cobrar', 'Receivable', 'Por cobrar'],
    FEES: commonWords.fees,
    OUTSIDE: ['Fora da conta', 'Outside', 'Fuera de la cuenta'],
  },
  role: {
    OWNER: ['Proprietário', 'Owner', 'Propietario'],
    ADMIN: ['Administrador', 'Administrator', 'Administrador'],
    DEVELOPER: ['Desenvolvedor', 'Developer', 'Desarrollador'],
    FINANCE: ['Financeiro', 'Finance', 'Finanzas'],
    SUPPORT: ['Suporte', 'Support', 'Soporte'],
    VIEWER: ['Leitor', 'Viewer', 'Lector'],
  },
  mode: {
    LIVE: ['Produção', 'Live', 'Producción'],
    SANDBOX: ['Sandbox', 'Sandbox', 'Sandbox'],
  },
})
