-- What a connection collects at, so that no payout goes there: each payout looks its destination up here.

-- step outside a transaction
create index concurrently connection_by_iban on connection ((settings->>'iban')) where method = 'SEPA_TRANSFER';

-- step outside a transaction
create index concurrently connection_by_pix_key on connection ((lower(settings->>'pixKey')))
  where method in ('PIX', 'PIX_PAYOUT');
