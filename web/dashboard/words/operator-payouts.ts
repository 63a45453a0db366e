import { dictionary } from './dictionary.ts'

/** Withdrawals and refunds without an end: why, and what an operator may do. */
export const operatorPayoutWords = dictionary({
  withdrawals: ['Saques parados', 'Stuck withdrawals', 'Retiros detenidos'],
  withdrawalsLead: [
    'De todos os lojistas, os mais antigos primeiro: por que cada um ainda não terminou e o que fazer.',
    'Of all merchants, the oldest first: why each has not ended, and what to do.',
    'De todos los comercios, los más antiguos primero: por qué no ha terminado cada uno y qué hacer.',
  ],
  refunds: ['Reembolsos parados', 'Stuck refunds', 'Reembolsos detenidos'],
  refundsLead: [
    'De todos os lojistas: por que cada um ainda não terminou e o que fazer. No máximo 200.',
    'Of all merchants: why each has not ended, and what to do. At most 200.',
    'De todos los comercios: por qué no ha terminado cada uno y qué hacer. Como máximo 200.',
  ],
  wanted: ['Não terminados', 'Not ended', 'Sin terminar'],
  wantedOf: {
    review: ['Sem resposta há muito tempo', 'No answer for a long time', 'Sin respuesta hace mucho'],
    approval: ['À espera de aprovação', 'Waiting for approval', 'En espera de aprobación'],
    pending: ['Ainda não enviados', 'Not sent yet', 'Aún no enviados'],
    processing: ['Enviados', 'Sent', 'Enviados'],
    all: ['Todos, também os terminados', 'All, including ended ones', 'Todos, también los terminados'],
  },
  none: ['Nada está parado', 'Nothing is stuck', 'Nada está detenido'],
  noneLead: [
    'Tudo o que foi pedido chegou ao fim. Não há nada a fazer aqui.',
    'Everything that was requested has ended. There is nothing to do here.',
    'Todo lo que se pidió ha terminado. No hay nada que hacer aquí.',
  ],
  why: ['Por quê', 'Why', 'Por qué'],
  next: ['Próxima tentativa', 'Next try', 'Próximo intento'],
  to: ['Para', 'To', 'Para'],
  reference: ['Referência no provedor', 'Reference at the provider', 'Referencia en el proveedor'],
  ended: ['Terminou', 'Ended', 'Terminó'],
  causes: {
    approval: [
      'Aguarda a aprovação de uma segunda pessoa do lojista.',
      'A second person of the merchant has to approve it.',
      'Espera la aprobación de una segunda persona del comercio.',
    ],
    disputed: [
      'O pagamento está em contestação. Continua quando a contestação terminar.',
      'The payment is disputed. It continues when the dispute ends.',
      'El pago está en disputa. Sigue cuando la disputa termine.',
    ],
    frozen: [
      'As saídas estão bloqueadas. Continua quando o bloqueio terminar.',
      'Money out is frozen. It continues when the freeze ends.',
      'Las salidas están bloqueadas. Continúa cuando termine el bloqueo.',
    ],
    wallet_stopped: [
      'A carteira que paga está parada. Veja a causa em Redes e tesouraria e libere-a.',
      'The wallet that pays is stopped. See why in Chains and treasury, and resume it.',
      'La billetera que paga está detenida. Vea la causa en Redes y tesorería y libérela.',
    ],
    wallet_waits: [
      'A carteira que paga aguarda saldo, gás ou a assinatura.',
      'The wallet that pays is waiting for coins, gas or the signer.',
      'La billetera que paga espera saldo, gas o la firma.',
    ],
    queued: [
      'Aguarda a vez na fila da carteira que paga.',
      'It is waiting in the queue of the wallet that pays.',
      'Espera su turno en la cola de la billetera que paga.',
    ],
    on_chain: [
      'A transação está a caminho na rede.',
      'Its transaction is on its way on the chain.',
      'Su transacción está en camino en la red.',
    ],
    nonce_taken: [
      'Uma transação de fora usou o nonce desta. Confira na rede se o destinatário recebeu.',
      'Another transaction used its nonce. Check on the chain whether the recipient was paid.',
      'Una transacción ajena usó su nonce. Compruebe en la red si el destinatario cobró.',
    ],
    stopping: [
      'A parada foi solicitada. Uma transação vazia ocupa o lugar dela.',
      'A stop was requested. An empty transaction takes its place.',
      'Se solicitó detenerlo. Una transacción vacía ocupa su lugar.',
    ],
    waits_for_file: [
      'Aguarda que alguém gere um arquivo de pagamentos.',
      'It is waiting until somebody creates a payment file.',
      'Espera a que alguien genere un archivo de pagos.',
    ],
    in_file: [
      'Está em um arquivo de pagamentos, e o banco ainda não disse como terminou.',
      'It is in a payment file, and the bank has not said how it ended.',
      'Está en un archivo de pagos, y el banco aún no dijo cómo terminó.',
    ],
    settling: [
      'O resultado é conhecido. O registro é feito em instantes.',
      'The outcome is known. It is booked in a moment.',
      'Se conoce el resultado. Se registra en un momento.',
    ],
    long_unknown: [
      'O provedor ainda não disse como terminou, e já faz muito tempo. Pergunte a ele e registre o resultado.',
      'The provider has not said for a long time how it ended. Ask the provider, and record the outcome.',
      'Hace mucho que el proveedor no dice cómo terminó. Pregúntele y registre el resultado.',
    ],
    unknown: [
      'Foi enviado, e o provedor ainda não disse como terminou.',
      'It was sent, and the provider has not said yet how it ended.',
      'Se envió, y el proveedor aún no dijo cómo terminó.',
    ],
    not_sent: [
      'Ainda não foi enviado. Um worker tenta de novo automaticamente.',
      'It was not sent yet. A worker tries again automatically.',
      'Aún no se envió. Un worker lo intenta de nuevo automáticamente.',
    ],
  },
  acts: {
    retry: ['Tentar agora', 'Try now', 'Intentar ahora'],
    stop: ['Parar', 'Stop', 'Detener'],
    end: ['Registrar o resultado', 'Record the outcome', 'Registrar el resultado'],
    prove: ['Encerrar com prova', 'End with proof', 'Terminar con prueba'],
  },
  retryLead: [
    'Um worker envia ou consulta agora. O que pode ter sido enviado nunca é enviado duas vezes.',
    'A worker sends it or asks about it now. What may have been sent is never sent twice.',
    'Un worker envía o consulta ahora. Lo que pudo enviarse nunca se envía dos veces.',
  ],
  retried: ['Um worker tenta agora', 'A worker tries it now', 'Un worker lo intenta ahora'],
  stopLead: [
    'Enquanto ainda for possível, nada é pago e o dinheiro volta à carteira do lojista.',
    'If it is still possible, nothing is paid and the money returns to the merchant’s wallet.',
    'Mientras aún sea posible, no se paga nada y el dinero vuelve a la billetera del comercio.',
  ],
  stopped: ['A parada foi solicitada', 'A stop was requested', 'Se solicitó detenerlo'],
  endLead: [
    'Confirme antes com o provedor ou na rede. Isto não pode ser desfeito.',
    'Confirm with the provider or on the chain first. This cannot be undone.',
    'Compruébelo antes con el proveedor o en la red. No se puede deshacer.',
  ],
  endTitle: (amount: string) => [
    `Como terminou o saque de ${amount}?`,
    `How did the withdrawal of ${amount} end?`,
    `¿Cómo terminó el retiro de ${amount}?`,
  ],
  refundFoundTitle: (amount: string) => [
    `Como terminou o reembolso de ${amount}?`,
    `How did the refund of ${amount} end?`,
    `¿Cómo terminó el reembolso de ${amount}?`,
  ],
  sent: ['Foi pago', 'It was paid', 'Se pagó'],
  sentHelp: [
    'O destinatário tem o dinheiro.',
    'The recipient has the money.',
    'El destinatario tiene el dinero.',
  ],
  refused: ['Não foi pago', 'It was not paid', 'No se pagó'],
  refusedHelp: [
    'O dinheiro volta à carteira do lojista.',
    'The money returns to the merchant’s wallet.',
    'El dinero vuelve a la billetera del comercio.',
  ],
  endDone: ['O resultado foi registrado', 'The outcome was recorded', 'El resultado quedó registrado'],
  needsTwo: [
    'Acima do limite: outra pessoa precisa aprovar antes de qualquer mudança.',
    'Above the limit: another person has to approve before anything changes.',
    'Por encima del límite: otra persona debe aprobar antes de cualquier cambio.',
  ],
  refundEndTitle: (amount: string) => [
    `Encerrar o reembolso de ${amount}?`,
    `End the refund of ${amount}?`,
    `¿Terminar el reembolso de ${amount}?`,
  ],
  refundEndLead: [
    'O reembolso falha, e o dinheiro volta à carteira do lojista, que vê o motivo.',
    'The refund fails, and its money returns to the wallet of the merchant, who sees the reason.',
    'El reembolso falla, y el dinero vuelve a la billetera del comercio, que ve el motivo.',
  ],
  proof: ['O que o provedor declarou', 'What the provider stated', 'Qué declaró el proveedor'],
  proofHelp: [
    'Algo pode ter sido enviado: copie a declaração de que nada foi reembolsado.',
    'Something may have been sent: copy the statement that nothing was refunded.',
    'Algo pudo enviarse: copie la declaración de que nada se reembolsó.',
  ],
  proofMissing: [
    'Sem a declaração do provedor, o dinheiro poderia sair duas vezes.',
    'Without the provider’s statement the money could leave twice.',
    'Sin la declaración del proveedor el dinero podría salir dos veces.',
  ],
})
