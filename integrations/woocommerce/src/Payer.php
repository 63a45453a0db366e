<?php

declare(strict_types=1);

namespace Vintem\WooCommerce;

use WC_Order;

/** What Vintem gets to know of the payer, to fill in the checkout's form. What the API would refuse is left out: a form can be filled in, a refused sale is lost. */
final class Payer
{
    /** @return array<string, mixed> */
    public static function of(WC_Order $order): array
    {
        $name = self::text($order->get_formatted_billing_full_name() ?: $order->get_billing_company(), 200);
        $email = $order->get_billing_email();
        $country = $order->get_billing_country();
        $phone = (string) preg_replace('/[\s().-]/', '', $order->get_billing_phone());
        return array_filter([
            'customerName' => $name,
            'customerEmail' => is_email($email) !== false && strlen($email) <= 254 ? $email : '',
            'customerTaxId' => self::taxId($order),
            'customerPhone' => preg_match('/^\+[1-9]\d{7,14}$/', $phone) === 1 ? $phone : '',
            'customerCountry' => preg_match('/^[A-Z]{2}$/', $country) === 1 ? $country : '',
            'customerAddress' => self::address($order, $country),
        ]);
    }

    /** @return array<string, string> */
    private static function address(WC_Order $order, string $country): array
    {
        $district = $order->get_meta('_billing_neighborhood');
        $number = $order->get_meta('_billing_number');
        $street = trim($order->get_billing_address_1() . (is_string($number) && $number !== '' ? ', ' . $number : ''));
        $city = self::text($order->get_billing_city(), 200);
        if ($street === '' || $city === '' || preg_match('/^[A-Z]{2}$/', $country) !== 1) {
            return [];
        }
        return array_filter([
            'line1' => self::text($street, 200),
            'line2' => self::text($order->get_billing_address_2(), 200),
            'district' => self::text(is_string($district) ? $district : '', 200),
            'city' => $city,
            'region' => self::text($order->get_billing_state(), 200),
            'postcode' => self::text($order->get_billing_postcode(), 20),
            'country' => $country,
        ], static fn(string $part): bool => $part !== '');
    }

    /** The CPF or CNPJ, where a plug-in of Brazilian fields stores it. */
    private static function taxId(WC_Order $order): string
    {
        foreach (['_billing_cpf', '_billing_cnpj'] as $field) {
            $value = $order->get_meta($field);
            $value = is_string($value) ? trim($value) : '';
            if (preg_match('/^(\d{3}\.?\d{3}\.?\d{3}-?\d{2}|[0-9A-Za-z]{2}\.?[0-9A-Za-z]{3}\.?[0-9A-Za-z]{3}\/?[0-9A-Za-z]{4}-?\d{2})$/', $value) === 1) {
                return $value;
            }
        }
        return '';
    }

    private static function text(string $text, int $length): string
    {
        return mb_substr(trim(str_replace("\0", '', $text)), 0, $length);
    }
}
