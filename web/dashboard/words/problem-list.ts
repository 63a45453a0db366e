import { counted } from '#/kernel/dictionary.ts'
import { dictionary } from './dictionary.ts'

/** What each problem of the API means to the program that got it, and what to do. */
export const problemListWords = dictionary({
  lead: [
    'Toda chamada recusada traz um código. Veja o que cada um significa, quantas vezes apareceu e a página que o explica.',
    'Every rejected call has a code. Here is what each one means, how often it occurred, and the page that explains it.',
    'Toda llamada rechazada trae un código. Vea qué significa cada uno, cuántas veces apareció y la página que lo explica.',
  ],
  title: ['Erros por código', 'Errors by code', 'Errores por código'],
  meaning: ['Significado', 'Meaning', 'Significado'],
  seen: ['Vezes', 'Times', 'Veces'],
  again: ['pode ser repetida', 'may be repeated', 'se puede repetir'],
  counted: (calls: string) =>
    counted(
      calls,
      [
        'Contado na última chamada recusada.',
        'Counted in the last rejected call.',
        'Contado en la última llamada rechazada.',
      ],
      [
        `Contados nas últimas ${calls} chamadas recusadas.`,
        `Counted in the last ${calls} rejected calls.`,
        `Contados en las últimas ${calls} llamadas rechazadas.`,
      ],
    ),
  countedSince: (calls: string, since: string) =>
    counted(
      calls,
      [
        `Contado na última chamada recusada, desde ${since}.`,
        `Counted in the last rejected call, since ${since}.`,
        `Contado en la última llamada rechazada, desde ${since}.`,
      ],
      [
        `Contados nas últimas ${calls} chamadas recusadas, desde ${since}.`,
        `Counted in the last ${calls} rejected calls, since ${since}.`,
        `Contados en las últimas ${calls} llamadas rechazadas, desde ${since}.`,
      ],
    ),
  countedNone: [
    'Nenhuma chamada recusada no registro.',
    'No rejected calls in the log.',
    'No hay llamadas rechazadas en el registro.',
  ],
  docs: ['Documentação', 'Documentation', 'Documentación'],
  docsOf: (code: string) => [
    `Documentação de ${code}`,
    `Documentation of ${code}`,
    `Documentación de ${code}`,
  ],
  calls: (count: string, code: string) => [
    `${count}: Ver as chamadas com ${code}`,
    `${count}: View the calls with ${code}`,
    `${count}: Ver las llamadas con ${code}`,
  ],
  meanings: {
    invalid_request: [
      'Falta um campo, ou um valor está errado. "errors" diz qual.',
      'A field is missing or a value is wrong. “errors” says which.',
      'Falta un campo o un valor está mal. «errors» dice cuál.',
    ],
    unauthenticated: [
      'A chave falta, está errada, venceu ou foi revogada.',
      'The key is missing, wrong, expired or revoked.',
      'La clave falta, es incorrecta, venció o fue revocada.',
    ],
    forbidden: [
      'A chave não tem a permissão desta chamada.',
      'The key does not have the permission for this call.',
      'La clave no tiene el permiso de esta llamada.',
    ],
    address_not_allowed: [
      'A chave não pode ser usada deste endereço de rede.',
      'The key may not be used from this network address.',
      'La clave no se puede usar desde esta dirección de red.',
    ],
    frozen: [
      'O operador bloqueou as saídas de dinheiro.',
      'The operator has frozen money out.',
      'El operador bloqueó las salidas de dinero.',
    ],
    merchant_suspended: [
      'O operador suspendeu a conta.',
      'The operator has suspended the account.',
      'El operador suspendió la cuenta.',
    ],
    not_found: [
      'O registro não existe, ou é de outra conta.',
      'The record does not exist, or belongs to another account.',
      'El registro no existe, o es de otra cuenta.',
    ],
    method_not_allowed: [
      'O endereço existe, mas não aceita este método.',
      'The address exists but does not take this method.',
      'La dirección existe pero no acepta este método.',
    ],
    request_timeout: [
      'A requisição não chegou inteira a tempo.',
      'The request did not arrive in full in time.',
      'La solicitud no llegó completa a tiempo.',
    ],
    idempotency_conflict: [
      'A chave de idempotência já foi usada com outro corpo.',
      'The idempotency key was used with another body.',
      'La clave de idempotencia ya se usó con otro cuerpo.',
    ],
    invalid_state: [
      'O status do registro não permite isto.',
      'The record’s status does not allow this.',
      'El estado del registro no lo permite.',
    ],
    payload_too_large: [
      'O corpo é grande demais.',
      'The body is too large.',
      'El cuerpo es demasiado grande.',
    ],
    unsupported_media_type: [
      'O corpo precisa ser application/json.',
      'The body must be application/json.',
      'El cuerpo debe ser application/json.',
    ],
    headers_too_large: [
      'Os cabeçalhos são grandes demais.',
      'The headers are too large.',
      'Los encabezados son demasiado grandes.',
    ],
    currency_not_supported: [
      'Esta moeda não é aceita aqui.',
      'This currency is not supported here.',
      'Esta moneda no se acepta aquí.',
    ],
    method_not_available: [
      'Esta forma de pagamento não está disponível.',
      'This payment method is not available.',
      'Este medio de pago no está disponible.',
    ],
    network_not_supported: [
      'Esta rede ou este token não é aceito.',
      'This network or token is not supported.',
      'Esta red o este token no se acepta.',
    ],
    checkout_not_found: [
      'O modelo de checkout não existe.',
      'There is no such checkout template.',
      'No existe esa plantilla de checkout.',
    ],
    insufficient_funds: [
      'A carteira não tem saldo suficiente.',
      'The wallet does not have enough balance.',
      'La billetera no tiene saldo suficiente.',
    ],
    wallet_not_spendable: [
      'Não é possível tirar dinheiro desta carteira.',
      'No money can leave this wallet.',
      'No se puede sacar dinero de esta billetera.',
    ],
    limit_exceeded: [
      'Um limite seria ultrapassado.',
      'A limit would be exceeded.',
      'Se superaría un límite.',
    ],
    destination_not_allowed: [
      'O destino não está na lista dos permitidos.',
      'The destination is not on the list of those allowed.',
      'El destino no está en la lista de los permitidos.',
    ],
    refund_exceeds_payment: [
      'É mais do que ainda pode ser reembolsado.',
      'It is more than can still be refunded.',
      'Es más de lo que aún se puede reembolsar.',
    ],
    rate_limited: [
      'Chamadas demais. Espere o tempo de Retry-After.',
      'Too many calls. Wait as Retry-After says.',
      'Demasiadas llamadas. Espere lo que dice Retry-After.',
    ],
    internal: [
      'Algo deu errado do nosso lado.',
      'Something went wrong on our side.',
      'Algo falló de nuestro lado.',
    ],
    provider_unavailable: [
      'O provedor de pagamentos não responde.',
      'The payment provider is not responding.',
      'El proveedor de pagos no responde.',
    ],
    unavailable: [
      'O serviço não pode responder agora.',
      'The service cannot answer right now.',
      'El servicio no puede responder ahora.',
    ],
  },
})
