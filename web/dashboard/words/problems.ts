import { dictionary } from './dictionary.ts'

/** What a refusal means, and what to do next, by its code. */
export const problemWords = dictionary({
  title: ['Não foi possível carregar', 'This could not be loaded', 'No se pudo cargar'],
  unknown: [
    'Algo deu errado. Tente de novo em instantes.',
    'Something went wrong. Try again in a moment.',
    'Algo salió mal. Inténtelo de nuevo en un momento.',
  ],
  reasons: {
    more_than_own: [
      'Você não pode conceder, mudar nem retirar uma função que pode mais que a sua.',
      'You cannot grant, change or remove a role that can do more than yours.',
      'Usted no puede conceder, cambiar ni quitar un rol que puede más que el suyo.',
    ],
    last_owner: [
      'Toda conta precisa de um proprietário. Dê antes essa função a outra pessoa.',
      'Every account needs an owner. Give that role to another person first.',
      'Toda cuenta necesita un propietario. Dé antes ese rol a otra persona.',
    ],
    too_many_drafts: [
      'Há rascunhos demais de modelos. Publique ou descarte um antes.',
      'There are too many template drafts. Publish or discard one first.',
      'Hay demasiados borradores de plantillas. Publique o descarte uno antes.',
    ],
  },
  /** Sentences that leave open what exactly is wrong: the server's own detail stands below them. */
  general: {
    invalid_request: [
      'Falta um campo, ou um valor não é aceito.',
      'A field is missing, or a value is not accepted.',
      'Falta un campo, o un valor no se acepta.',
    ],
    sign_in_refused: [
      'Não foi possível entrar com estes dados.',
      'You could not be signed in with these details.',
      'No se pudo entrar con estos datos.',
    ],
    address_not_allowed: [
      'A chave não pode ser usada deste endereço de rede.',
      'The key may not be used from this network address.',
      'La clave no puede usarse desde esta dirección de red.',
    ],
    method_not_allowed: [
      'O painel fez uma requisição que o servidor não conhece. Recarregue a página.',
      'The dashboard made a request that the server does not know. Reload the page.',
      'El panel hizo una solicitud que el servidor no conoce. Recargue la página.',
    ],
    request_timeout: [
      'A requisição não chegou inteira a tempo. Tente de novo.',
      'The request did not arrive in full in time. Try again.',
      'La solicitud no llegó completa a tiempo. Inténtelo de nuevo.',
    ],
    invalid_state: [
      'O status atual não permite isto. Nada foi feito.',
      'The current status does not allow this. Nothing was done.',
      'El estado actual no lo permite. No se hizo nada.',
    ],
    link_used: ['Este link não vale mais.', 'This link no longer works.', 'Este enlace ya no vale.'],
    unsupported_media_type: [
      'O servidor não aceita este formato.',
      'The server does not accept this format.',
      'El servidor no acepta este formato.',
    ],
    headers_too_large: [
      'O navegador enviou cabeçalhos grandes demais. Apague os cookies desta página.',
      'The browser sent headers that are too large. Delete the cookies of this page.',
      'El navegador envió encabezados demasiado grandes. Borre las cookies de esta página.',
    ],
    currency_not_supported: [
      'Esta moeda não é aceita aqui.',
      'This currency is not accepted here.',
      'Esta moneda no se acepta aquí.',
    ],
    method_not_available: [
      'Esta forma de pagamento não está disponível.',
      'This payment method is not available.',
      'Este medio de pago no está disponible.',
    ],
    network_not_supported: [
      'Esta rede ou este token não é aceito.',
      'This network or token is not accepted.',
      'Esta red o este token no se acepta.',
    ],
    checkout_not_found: [
      'Este modelo de checkout não existe.',
      'There is no such checkout template.',
      'Esta plantilla de checkout no existe.',
    ],
    wallet_not_spendable: [
      'Não é possível tirar dinheiro desta carteira.',
      'No money can leave this wallet.',
      'No se puede sacar dinero de esta billetera.',
    ],
    transfer_not_granted: [
      'A subconta não autorizou isto.',
      'The sub-account has not granted this.',
      'La subcuenta no autorizó esto.',
    ],
    split_refused: [
      'O pagamento não pode ser dividido assim.',
      'The payment cannot be split like this.',
      'El pago no puede dividirse así.',
    ],
  },
  codes: {
    offline: [
      'Sem conexão com o servidor. Verifique a rede e tente de novo.',
      'The server cannot be reached. Check the network and try again.',
      'No hay conexión con el servidor. Revise la red e inténtelo de nuevo.',
    ],
    unauthenticated: [
      'Sua sessão terminou. Entre de novo.',
      'Your session has ended. Sign in again.',
      'Su sesión terminó. Entre de nuevo.',
    ],
    forbidden: [
      'Sua função não permite isto. Peça a um administrador da conta.',
      'Your role does not allow this. Ask an administrator of the account.',
      'Su rol no lo permite. Pídalo a un administrador de la cuenta.',
    ],
    directory_needed: [
      'Esta célula é uma de várias, e só um comando pode consultar o diretório. Use ./vintem merchant create, connection add ou connection replace.',
      'This cell is one of several, and only a command can ask the directory. Use ./vintem merchant create, connection add or connection replace.',
      'Esta célula es una de varias, y solo un comando puede consultar el directorio. Use ./vintem merchant create, connection add o connection replace.',
    ],
    cross_site: [
      'O navegador marcou esta solicitação como vinda de outro site. Abra o painel em uma aba nova.',
      'The browser marked this request as coming from another site. Open the dashboard in a new tab.',
      'El navegador marcó esta solicitud como de otro sitio. Abra el panel en otra pestaña.',
    ],
    second_factor_needed: [
      'Isto precisa do segundo fator, e ele não foi informado. Nada foi feito.',
      'This needs your second factor, and it was not given. Nothing was done.',
      'Esto requiere el segundo factor, y no se dio. No se hizo nada.',
    ],
    frozen: [
      'A conta está bloqueada: nada que movimente dinheiro é aceito agora.',
      'The account is frozen: nothing that moves money is accepted now.',
      'La cuenta está bloqueada: no se acepta nada que mueva dinero.',
    ],
    merchant_suspended: [
      'A conta está suspensa. Fale com o operador.',
      'The account is suspended. Contact the operator.',
      'La cuenta está suspendida. Hable con el operador.',
    ],
    not_found: [
      'Não existe, ou não é desta conta.',
      'It does not exist, or belongs to another account.',
      'No existe, o no es de esta cuenta.',
    ],
    idempotency_conflict: [
      'Esta solicitação já foi feita com outros valores. Feche e comece de novo.',
      'This request was already made with other values. Close it and start again.',
      'Esta solicitud ya se hizo con otros valores. Cierre y comience de nuevo.',
    ],
    insufficient_funds: [
      'O saldo disponível não é suficiente. Nada foi feito.',
      'The available balance is not enough. Nothing was done.',
      'El saldo disponible no alcanza. No se hizo nada.',
    ],
    payload_too_large: [
      'Isto é grande demais. Encurte o texto, ou use um arquivo menor.',
      'This is too large. Shorten the text, or use a smaller file.',
      'Esto es demasiado grande. Acorte el texto, o use un archivo más pequeño.',
    ],
    limit_exceeded: [
      'O valor é maior que um limite da conta. Nada foi feito.',
      'The amount is above a limit of the account. Nothing was done.',
      'El importe supera un límite de la cuenta. No se hizo nada.',
    ],
    destination_not_allowed: [
      'Este destino não está na lista dos permitidos.',
      'This destination is not on the list of those allowed.',
      'Este destino no está en la lista de los permitidos.',
    ],
    refund_exceeds_payment: [
      'O valor é maior do que ainda pode ser reembolsado. Nada foi feito.',
      'The amount is more than can still be refunded. Nothing was done.',
      'El importe supera lo que aún se puede reembolsar. No se hizo nada.',
    ],
    rate_limited: [
      'Muitas tentativas. Espere um pouco e tente de novo.',
      'Too many attempts. Wait a little and try again.',
      'Demasiados intentos. Espere un poco e inténtelo de nuevo.',
    ],
    provider_unavailable: [
      'O provedor não responde agora. Tente de novo em instantes.',
      'The provider is not responding. Try again in a moment.',
      'El proveedor no responde ahora. Inténtelo de nuevo en un momento.',
    ],
    unavailable: [
      'O servidor não pode responder agora. Tente de novo em instantes.',
      'The server cannot respond right now. Try again in a moment.',
      'El servidor no puede responder ahora. Inténtelo de nuevo en un momento.',
    ],
    internal: [
      'Algo deu errado do nosso lado. Tente de novo; se continuar, informe o ID da requisição.',
      'Something went wrong on our side. Try again; if it keeps happening, share the request ID.',
      'Algo falló de nuestro lado. Inténtelo de nuevo; si continúa, indique el ID de la solicitud.',
    ],
  },
})
