import { dictionary } from './dictionary.ts'

/** Withdrawals and refunds without an end: why, and what an operator may do. */
export const operatorPayoutWords = dictionary({
  withdrawals: ['Saques parados', 'Stuck withdrawals', 'Retiros detenidos'],
  withdrawalsLead: [
    'De todas as contas, os mais antigos primeiro: por que cada um ainda não terminou e o que fazer.',
    'Of all merchants, the oldest first: why each has not ended, and what to do.',
    'De todos los comercios, los más antiguos primero: por qué no ha terminado cada uno y qué hacer.',
  ],
  refunds: ['Reembolsos parados', 'Stuck refunds', 'Reembolsos detenidos'],
  refundsLead: [
    'De todas as contas: por que cada uma ainda não terminou e o que fazer. No máximo 200.',
    'Of all merchants: why each has not ended, and what to do. At most 200.',
    'De todos los comercios: por qué no ha terminado cada una y qué hacer. Como máximo 200.',
  ],
  wanted: ['Sem fim', 'Without an end', 'Sin final'],
  wantedOf: {
    review: ['Sem resposta há muito tempo', 'No answer for long', 'Sin respuesta hace mucho'],
    approval: ['À espera de aprovação', 'Waiting for approval', 'En espera de aprobación'],
    pending: ['Ainda não enviados', 'Not sent yet', 'Aún no enviados'],
    processing: ['Enviados', 'Sent', 'Enviados'],
    all: ['Todos, também os terminados', 'All, also ended ones', 'Todos, también los terminados'],
  },
  none: ['Nada está parado', 'Nothing is stuck', 'Nada está detenido'],
  noneLead: [
    'Tudo o que foi pedido chegou ao fim. Não há nada a fazer aqui.',
    'All that was requested has ended. There is nothing to do here.',
    'Todo lo que se pidió ha terminado. No hay nada que hacer aquí.',
  ],
  why: ['Por quê', 'Why', 'Por qué'],
  next: ['Próxima tentativa', 'Next try', 'Próximo intento'],
  to: ['Para', 'To', 'Para'],
  reference: ['Referência no provedor', 'Reference at the provider', 'Referencia en el proveedor'],
  ended: ['Terminou', 'Ended', 'Terminó'],
  causes: {
    approval: [
      'Espera que uma segunda pessoa da conta aprove.',
      'A second person of the merchant has to approve it.',
      'Espera que una segunda persona del comercio apruebe.',
    ],
    disputed: [
      'O pagamento está em contestação. Segue quando a contestação terminar.',
      'The payment is disputed. It goes on when the dispute has ended.',
      'El pago está en disputa. Sigue cuando la disputa termine.',
    ],
    frozen: [
      'As saídas estão bloqueadas. Continua quando o bloqueio terminar.',
      'Money out is frozen. It continues when the freeze is lifted.',
      'Las salidas están bloqueadas. Continúa cuando termine el bloqueo.',
    ],
    wallet_stopped: [
      'A carteira que paga está parada. Veja a causa em Redes e tesouraria e libere-a.',
      'The wallet that pays is stopped. Read why in Chains and treasury, and lift it.',
      'La billetera que paga está detenida. Lea la causa en Redes y tesorería y libérela.',
    ],
    wallet_waits: [
      'A carteira que paga espera por saldo, gás ou pela assinatura.',
      'The wallet that pays waits for coins, gas or the signer.',
      'La billetera que paga espera saldo, gas o la firma.',
    ],
    queued: [
      'Espera a vez na fila da carteira que paga.',
      'It waits for its turn in the queue of the wallet that pays.',
      'Espera su turno en la cola de la billetera que paga.',
    ],
    on_chain: [
      'A transação está a caminho na rede.',
      'Its transaction is on its way on the chain.',
      'Su transacción está en camino en la red.',
    ],
    nonce_taken: [
      'Uma transação de fora usou o número desta. Confira na rede se o destinatário recebeu.',
      'A foreign transaction used its nonce. Look on the chain whether the recipient was paid.',
      'Una transacción ajena usó su número. Compruebe en la red si el destinatario cobró.',
    ],
    stopping: [
      'A parada foi pedida. Uma transação vazia ocupa o lugar dela.',
      'It was requested to stop. An empty transaction takes its place.',
      'Se pidió detenerlo. Una transacción vacía ocupa su lugar.',
    ],
    waits_for_file: [
      'Espera que alguém gere um arquivo de pagamentos.',
      'It waits until somebody makes a file of payments.',
      'Espera a que alguien genere un archivo de pagos.',
    ],
    in_file: [
      'Está em um arquivo de pagamentos, e o banco ainda não disse como terminou.',
      'It is in a file of payments, and the bank has not said how it ended.',
      'Está en un archivo de pagos, y el banco aún no dijo cómo terminó.',
    ],
    settling: [
      'O fim é conhecido. O registro é feito em instantes.',
      'Its end is known. It is booked in a moment.',
      'Se conoce el final. Se registra en un momento.',
    ],
    long_unknown: [
      'O provedor não diz há muito tempo como terminou. Pergunte a ele e registre o fim.',
      'Its provider has not said for long how it ended. Ask the provider, and record the end.',
      'El proveedor no dice hace mucho cómo terminó. Pregúntele y registre el final.',
    ],
    unknown: [
      'Foi enviado, e o provedor ainda não disse como terminou.',
      'It was sent, and its provider has not said yet how it ended.',
      'Se envió, y el proveedor aún no dijo cómo terminó.',
    ],
    not_sent: [
      'Ainda não foi enviado. Um trabalhador tenta de novo sozinho.',
      'It was not sent yet. A worker tries again by itself.',
      'Aún no se envió. Un trabajador lo intenta de nuevo solo.',
    ],
  },
  acts: {
    retry: ['Tentar agora', 'Try now', 'Intentar ahora'],
    stop: ['Parar', 'Stop', 'Detener'],
    end: ['Registrar o fim', 'Record the end', 'Registrar el final'],
    prove: ['Encerrar com prova', 'End with proof', 'Terminar con prueba'],
  },
  retryLead: [
    'Um trabalhador envia ou pergunta agora. O que pode ter sido enviado nunca é enviado duas vezes.',
    'A worker sends it or asks about it now. What may have been sent is never sent twice.',
    'Un trabajador envía o pregunta ahora. Lo que pudo enviarse nunca se envía dos veces.',
  ],
  retried: ['Um trabalhador tenta agora', 'A worker tries it now', 'Un trabajador lo intenta ahora'],
  stopLead: [
    'Enquanto ainda for possível, nada é pago e o dinheiro volta à carteira da conta.',
    'While that is still possible, nothing is paid and the money comes back to the merchant’s wallet.',
    'Mientras aún sea posible, no se paga nada y el dinero vuelve a la billetera del comercio.',
  ],
  stopped: ['A parada foi pedida', 'It was requested to stop', 'Se pidió detenerlo'],
  endLead: [
    'Confirme antes no provedor ou na rede. Não há volta.',
    'Make sure at the provider or on the chain first. This cannot be undone.',
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
    'O dinheiro volta à carteira da conta.',
    'The money comes back to the merchant’s wallet.',
    'El dinero vuelve a la billetera del comercio.',
  ],
  endDone: ['O fim foi registrado', 'The end was recorded', 'El final quedó registrado'],
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
    'O reembolso falha, e o dinheiro volta à carteira da conta. A conta lê o motivo.',
    'The refund fails, and its money comes back to the merchant’s wallet. The merchant reads the reason.',
    'El reembolso falla, y el dinero vuelve a la billetera del comercio. El comercio lee el motivo.',
  ],
  proof: ['O que o provedor declarou', 'What the provider stated', 'Qué declaró el proveedor'],
  proofHelp: [
    'Algo pode ter sido enviado: copie a declaração de que nada foi devolvido.',
    'Something may have been sent: copy the statement that nothing was given back.',
    'Algo pudo enviarse: copie la declaración de que nada se devolvió.',
  ],
  proofMissing: [
    'Sem a declaração do provedor, o dinheiro poderia sair duas vezes.',
    'Without the provider’s statement the money could leave twice.',
    'Sin la declaración del proveedor el dinero podría salir dos veces.',
  ],
})
