import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'

/** Money whose owner a person of the operator decides. */
export const operatorSuspenseWords = dictionary({
  title: ['Dinheiro sem dono', 'Unmatched money', 'Dinero sin dueño'],
  lead: [
    'Dinheiro que chegou e não corresponde a nenhum pagamento. Decida de quem é.',
    'Money that came and fits no payment. Decide whose it is.',
    'Dinero que llegó y no corresponde a ningún pago. Decida de quién es.',
  ],
  waiting: ['A decidir', 'To be decided', 'Por decidir'],
  withDecided: ['Também o que foi decidido', 'Also what was decided', 'También lo decidido'],
  none: ['Nada espera por você', 'Nothing waits for you', 'Nada espera por usted'],
  noneLead: [
    'Todo o dinheiro recebido corresponde a um pagamento.',
    'All money that came fits a payment.',
    'Todo el dinero recibido corresponde a un pago.',
  ],
  noneFound: ['Nada encontrado', 'Nothing found', 'No se encontró nada'],
  noneFoundLead: commonWords.changeFilters,
  connection: ['Conexão', 'Connection', 'Conexión'],
  reasons: {
    no_attempt: ['Não diz a que pagamento pertence', 'It names no payment', 'No dice a qué pago pertenece'],
    unknown_attempt: [
      'Diz um pagamento que não existe aqui',
      'It names a payment that is not here',
      'Dice un pago que no existe aquí',
    ],
    wrong_amount: [
      'O valor não é o pedido',
      'The amount is not what was requested',
      'El importe no es el pedido',
    ],
    wrong_currency: [
      'A moeda não é a pedida',
      'The currency is not what was requested',
      'La moneda no es la pedida',
    ],
    suspended_money: [
      'É de dinheiro que já espera aqui',
      'It is about money that waits here already',
      'Es de dinero que ya espera aquí',
    ],
  },
  why: ['Por que não corresponde', 'Why it fits none', 'Por qué no corresponde'],
  reference: ['Referência do provedor', 'Provider’s reference', 'Referencia del proveedor'],
  resolve: ['Decidir', 'Decide', 'Decidir'],
  resolveTitle: (amount: string) => [
    `De quem são ${amount}?`,
    `Whose is ${amount}?`,
    `¿De quién son ${amount}?`,
  ],
  credit: ['Creditar a uma conta', 'Credit it to a merchant', 'Acreditar a un comercio'],
  creditHelp: [
    'O valor entra na carteira padrão da conta.',
    'The amount goes to the merchant’s default wallet.',
    'El importe entra en la billetera predeterminada del comercio.',
  ],
  returned: ['Foi devolvido', 'It went back', 'Fue devuelto'],
  returnedHelp: [
    'Devolva primeiro no provedor. Aqui só se registra.',
    'Return it at the provider first. This only records it.',
    'Devuélvalo primero en el proveedor. Aquí solo se registra.',
  ],
  needsTwo: ['Pede segunda pessoa', 'Needs a second person', 'Requiere otra persona'],
  needsTwoLead: [
    'Acima do limite: outra pessoa precisa aprovar antes de qualquer mudança.',
    'Above the limit: another person has to approve before anything changes.',
    'Por encima del límite: otra persona debe aprobar antes de cualquier cambio.',
  ],
  resolved: ['A decisão foi registrada', 'The decision was recorded', 'La decisión fue registrada'],
  credited: ['Creditado', 'Credited', 'Acreditado'],
  wasReturned: ['Devolvido', 'Returned', 'Devuelto'],
  notMoney: ['Aviso sem dinheiro', 'Report without money', 'Aviso sin dinero'],
  approvals: [
    'Esperam por uma segunda pessoa',
    'Waiting for a second person',
    'Esperan a una segunda persona',
  ],
  requested: {
    'suspense.credit': ['Creditar a uma conta', 'Credit it to a merchant', 'Acreditar a un comercio'],
    'suspense.return': [
      'Registrar que foi devolvido',
      'Record that it went back',
      'Registrar que fue devuelto',
    ],
    'end.withdrawal': [
      'Registrar o fim de um saque',
      'Record the end of a withdrawal',
      'Registrar el fin de un retiro',
    ],
    'end.refund': ['Encerrar um reembolso', 'End a refund', 'Cerrar un reembolso'],
    'unrecorded.charge': [
      'Cobrar de uma conta uma saída sem registro',
      'Charge money that left unrecorded to a merchant',
      'Cobrar a un comercio una salida sin registro',
    ],
    'unrecorded.write-off': [
      'Dar como perdida uma saída sem registro',
      'Write off money that left unrecorded',
      'Dar por perdida una salida sin registro',
    ],
    'unrecorded.return': [
      'Registrar que uma saída sem registro voltou',
      'Record that money that left unrecorded came back',
      'Registrar que una salida sin registro volvió',
    ],
    'terms.limit': ['Mudar limites de saque', 'Change limits of withdrawals', 'Cambiar límites de retiro'],
    'terms.destination-add': ['Permitir um destino', 'Allow a destination', 'Permitir un destino'],
    'terms.destination-remove': ['Remover um destino', 'Remove a destination', 'Quitar un destino'],
    'terms.fee': ['Definir uma taxa', 'Set a fee', 'Fijar una comisión'],
    'statement.correct': [
      'Aceitar um extrato corrigido',
      'Accept a corrected statement',
      'Aceptar un extracto corregido',
    ],
    'freeze.end': ['Encerrar um bloqueio', 'End a freeze', 'Terminar un bloqueo'],
  },
  corrects: {
    takenBack: ['Volta', 'Taken back', 'Se devuelve'],
    added: ['Entra', 'New', 'Entra'],
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
  asks: (who: string) => [`Pedido por ${who}`, `Requested by ${who}`, `Pedido por ${who}`],
  own: [
    'Seu pedido: outra pessoa decide',
    'Your request: another person decides',
    'Su solicitud: otra persona decide',
  ],
  approve: ['Aprovar', 'Approve', 'Aprobar'],
  approveTitle: ['Aprovar o pedido', 'Approve the request', 'Aprobar la solicitud'],
  approveLead: (reason: string) => [
    `É executado agora. Motivo de quem pediu: ${reason}`,
    `It is carried out now. The reason that was given: ${reason}`,
    `Se ejecuta ahora. Motivo de quien pidió: ${reason}`,
  ],
  approved: ['O pedido foi executado', 'The request was carried out', 'La solicitud fue ejecutada'],
  refuse: ['Recusar', 'Refuse', 'Rechazar'],
  takeBack: ['Retirar', 'Take back', 'Retirar'],
  refuseTitle: ['Recusar o pedido', 'Refuse the request', 'Rechazar la solicitud'],
  refused: [
    'O pedido foi encerrado. Nada mudou.',
    'The request was closed. Nothing changed.',
    'La solicitud fue cerrada. Nada cambió.',
  ],
  since: [
    'Avisos do provedor desde então',
    'The provider’s reports since',
    'Avisos del proveedor desde entonces',
  ],
})
