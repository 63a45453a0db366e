-- Records are found by the beginning of what a person knows of them: a name, an e-mail address, an order's number, a provider's reference.

-- The form in which two texts begin alike: without accents and without regard to the case of A to Z; of a long text its first 64 characters.
-- The last letters of the first list are accents that stand alone, and have no counterpart.
create function search_form(given text) returns text language sql immutable strict parallel safe return
  left(lower(translate(btrim(given), 'àÀáÁâÂãÃäÄåÅāĀăĂąĄçÇćĆčČĉĈďĎđĐèÈéÉêÊëËēĒėĖęĘěĚğĞìÌíÍîÎïÏīĪįĮıłŁľĽĺĹñÑńŃňŇņŅòÒóÓôÔõÕöÖøØōŌőŐřŘŕŔśŚšŠşŞșȘťŤţŢțȚùÙúÚûÛüÜūŪůŮűŰųŲýÝÿŸžŽźŹżŻ̧̀́̂̃̈̊̌', 'aaaaaaaaaaaaaaaaaaccccccccddddeeeeeeeeeeeeeeeeggiiiiiiiiiiiiillllllnnnnnnnnoooooooooooooooorrrrssssssssttttttuuuuuuuuuuuuuuuuyyyyzzzzzz') collate "C"), 64);

-- Beside the traffic.

-- step outside a transaction
create index concurrently payment_by_name_form on payment (
  merchant_id, (search_form(coalesce(request ->> 'customerName', payer ->> 'name')) collate "C"), id
) where coalesce(request ->> 'customerName', payer ->> 'name') is not null;

-- step outside a transaction
create index concurrently payment_by_email_form on payment (
  merchant_id, (search_form(coalesce(request ->> 'customerEmail', payer ->> 'email')) collate "C"), id
) where coalesce(request ->> 'customerEmail', payer ->> 'email') is not null;

-- The number of an order, under the names that shops give to it.
-- step outside a transaction
create index concurrently payment_by_order_form on payment (
  merchant_id,
  (
    search_form(
      coalesce(
        request -> 'metadata' ->> 'orderId', request -> 'metadata' ->> 'order_id', request -> 'metadata' ->> 'order',
        request -> 'metadata' ->> 'orderNumber', request -> 'metadata' ->> 'wooOrderId'
      )
    ) collate "C"
  ),
  id
) where coalesce(
  request -> 'metadata' ->> 'orderId', request -> 'metadata' ->> 'order_id', request -> 'metadata' ->> 'order',
  request -> 'metadata' ->> 'orderNumber', request -> 'metadata' ->> 'wooOrderId'
) is not null;

-- step outside a transaction
create index concurrently receipt_by_reference on receipt (merchant_id, (left(provider_ref, 40) collate "C"), payment_id)
 where outcome = 'paid';
