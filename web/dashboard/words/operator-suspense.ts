import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'

/** Money whose owner a person of the operator decides. */
export const operatorSuspenseWords = dictionary({
  title: ['Valores não identificados', 'Unidentified receipts', 'Importes no identificados'],
  lead: [
    'Valores que chegaram e não correspondem a nenhum pagamento. Decida a quem pertencem.',
    'Money that arrived and matches no payment. Decide who it belongs to.',
    'Importes que llegaron y no corresponden a ningún pago. Decida a quién pertenecen.',
  ],
  waiting: ['A decidir', 'To be decided', 'Por decidir'],
  withDecided: ['Incluir o que já foi decidido', 'Include decided', 'Incluir lo ya decidido'],
  none: ['Você está em dia', 'You’re all caught up', 'Está al día'],
  noneLead: [
    'Todo o dinheiro recebido corresponde a um pagamento.',
    'All money received matches a payment.',
    'Todo el dinero recibido corresponde a un pago.',
  ],
  noneFound: ['Nenhum resultado', 'No results', 'Sin resultados'],
  noneFoundLead: commonWords.changeFilters,
  connection: ['Conexão', 'Connection', 'Conexión'],
  reasons: {
    no_attempt: [
      'Não indica a que pagamento pertence',
      'It names no payment',
      'No indica a qué pago pertenece',
    ],
    unknown_attempt: [
      'Indica um pagamento que não existe aqui',
      'It names a payment that does not exist here',
      'Indica un pago que no existe aquí',
    ],
    wrong_amount: [
      'O valor não é o da cobrança',
      'The amount is not the one requested',
      'El importe no es el del cobro',
    ],
    wrong_currency: [
      'A moeda não é a da cobrança',
      'The currency is not the one requested',
      'La moneda no es la del cobro',
    ],
    suspended_money: [
      'É sobre um valor que já aguarda aqui',
      'It is about money that is already waiting here',
      'Es sobre un importe que ya espera aquí',
    ],
  },
  why: ['Por que não corresponde', 'Why it does not match', 'Por qué no corresponde'],
  reference: ['Referência do provedor', 'Provider’s reference', 'Referencia del proveedor'],
  resolve: ['Decidir', 'Decide', 'Decidir'],
  resolveTitle: (amount: string) => [
    `De quem é o valor de ${amount}?`,
    `Who does ${amount} belong to?`,
    `¿De quién es el importe de ${amount}?`,
  ],
  credit: ['Creditar a um lojista', 'Credit a merchant', 'Acreditar a un comercio'],
  creditHelp: [
    'O valor entra na carteira padrão do lojista.',
    'The amount goes to the merchant’s default wallet.',
    'El importe entra en la billetera predeterminada del comercio.',
  ],
  returned: ['Foi devolvido', 'It was returned', 'Se devolvió'],
  returnedHelp: [
    'Devolva primeiro no provedor. Aqui só se registra.',
    'Return it at the provider first. This only records it.',
    'Devuélvalo primero en el proveedor. Aquí solo se registra.',
  ],
  needsTwo: ['Precisa de outra pessoa', 'Needs a second person', 'Requiere otra persona'],
  needsTwoLead: [
    'Acima do limite: outra pessoa precisa aprovar antes de qualquer mudança.',
    'Above the limit: another person has to approve before anything changes.',
    'Por encima del límite: otra persona debe aprobar antes de cualquier cambio.',
  ],
  resolved: ['A decisão foi registrada', 'The decision was recorded', 'La decisión quedó registrada'],
  credited: ['Creditado', 'Credited', 'Acreditado'],
  wasReturned: ['Devolvido', 'Returned', 'Devuelto'],
  notMoney: ['Notificação sem dinheiro', 'Notification without money', 'Notificación sin dinero'],
  approvals: ['Aguardam outra pessoa', 'Waiting for a second person', 'Esperan a otra persona'],
  requested: {
    'suspense.credit': ['Creditar a um lojista', 'Credit a merchant', 'Acreditar a un comercio'],
    'suspense.return': [
      'Registrar que foi devolvido',
      'Record that it was returned',
      'Registrar que fue devuelto',
    ],
    'end.withdrawal': [
      'Registrar o resultado de um saque',
      'Record the outcome of a withdrawal',
      'Registrar el resultado de un retiro',
    ],
    'end.refund': ['Encerrar um reembolso', 'End a refund', 'Cerrar un reembolso'],
    'unrecorded.charge': [
      'Cobrar de um lojista uma saída sem registro',
      'Charge a merchant for unrecorded money out',
      'Cobrar a un comercio una salida sin registro',
    ],
    'unrecorded.write-off': [
      'Dar como perdida uma saída sem registro',
      'Write off unrecorded money out',
      'Dar por perdida una salida sin registro',
    ],
    'unrecorded.return': [
      'Registrar que uma saída sem registro voltou',
      'Record that unrecorded money out came back',
      'Registrar que una salida sin registro volvió',
    ],
    'terms.limit': ['Mudar limites de saque', 'Change withdrawal limits', 'Cambiar límites de retiro'],
    'terms.destination-add': ['Permitir um destino', 'Allow a destination', 'Permitir un destino'],
    'terms.destination-remove': ['Remover um destino', 'Remove a destination', 'Quitar un destino'],
    'terms.fee': ['Definir uma tarifa', 'Set a fee', 'Fijar una comisión'],
    'statement.correct': [
      'Aceitar um extrato corrigido',
      'Accept a corrected statement',
      'Aceptar un extracto corregido',
    ],
    'freeze.end': ['Encerrar um bloqueio', 'End a freeze', 'Terminar un bloqueo'],
  },
  corrects: {
    takenBack: ['Desfeito', 'Taken back', 'Se deshace'],
    added: ['Novo', 'New', 'Nuevo'],
    balances: ['Saldos', 'Balances', 'Saldos'],
  },
  andMore: (count: string) => [`e mais ${count}`, `and ${count} more`, `y ${count} más`],
  ends: {
    sent: [
      'Registrar que o saque foi pago',
      'Record that the withdrawal was paid',
      'Registrar que el retiro se pagó',
    ],
    refused: [
      'Registrar que o saque não foi pago',
      'Record that the withdrawal was not paid',
      'Registrar que el retiro no se pagó',
    ],
  },
  asks: (who: string) => [`Solicitado por ${who}`, `Requested by ${who}`, `Solicitado por ${who}`],
  own: [
    'Sua solicitação: outra pessoa decide',
    'Your request: another person decides',
    'Su solicitud: otra persona decide',
  ],
  approve: ['Aprovar', 'Approve', 'Aprobar'],
  approveTitle: ['Aprovar a solicitação', 'Approve the request', 'Aprobar la solicitud'],
  approveLead: (reason: string) => [
    `É executada agora. Motivo de quem solicitou: ${reason}`,
    `It is carried out now. Reason given: ${reason}`,
    `Se ejecuta ahora. Motivo de quien la hizo: ${reason}`,
  ],
  approved: ['A solicitação foi executada', 'The request was carried out', 'La solicitud se ejecutó'],
  refuse: ['Recusar', 'Reject', 'Rechazar'],
  takeBack: commonWords.cancel,
  refuseTitle: ['Recusar a solicitação', 'Reject the request', 'Rechazar la solicitud'],
  refused: [
    'A solicitação foi encerrada. Nada mudou.',
    'The request was closed. Nothing changed.',
    'La solicitud se cerró. Nada cambió.',
  ],
  since: [
    'Notificações do provedor desde então',
    'The provider’s notifications since then',
    'Notificaciones del proveedor desde entonces',
  ],
})
