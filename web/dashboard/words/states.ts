import { commonWords } from '#/kernel/common-words.ts'
import { exceptionWords, paymentStatusWords, refundStatusWords } from '#/kernel/status-words.ts'
import { dictionary } from './dictionary.ts'
import { merchantNames } from './method-names.ts'
import { roleNames } from './role-names.ts'

/** What records are called, and how their states and methods are read. */
export const stateWords = dictionary({
  payment: paymentStatusWords,
  refunded: refundStatusWords,
  exception: exceptionWords,
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
  role: roleNames,
  mode: {
    LIVE: ['Produção', 'Live', 'Producción'],
    SANDBOX: ['Sandbox', 'Sandbox', 'Sandbox'],
  },
})
