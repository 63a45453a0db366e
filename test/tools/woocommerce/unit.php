<?php
/** Tests of the parts that need no WordPress: `php unit.php <folder of the plug-in> <file of vectors>`. */

declare(strict_types=1);

use Vintem\WooCommerce\Json;
use Vintem\WooCommerce\Money;
use Vintem\WooCommerce\Signature;

[, $plugin, $vectors] = $argv;
foreach (['Json', 'Money', 'Signature'] as $class) {
    require "{$plugin}/src/{$class}.php";
}

function same(mixed $found, mixed $wanted, string $what): void
{
    if ($found !== $wanted) {
        fwrite(STDERR, "{$what}: " . var_export($found, true) . ', not ' . var_export($wanted, true) . "\n");
        exit(1);
    }
}

foreach ([
    ['49.90', 4990], ['0.58', 58], [0.29 * 2, 58], [0.1 + 0.2, 30], ['58', 5800], [58, 5800], ['58.00000000', 5800], ['1.005', 101], ['1.0049', 100],
    ['-3.50', -350], ['.', null], ['', null], ['1e3', null], ['1,50', null], [null, null], ['90071992547409.91', 9_007_199_254_740_991],
    ['90071992547409.92', null], ['90071992547409.915', null], [str_repeat('9', 40), null], ['000000000000000000000000.01', 1], [1.0E+25, null],
] as [$amount, $wanted]) {
    try {
        $found = Money::toMinor($amount, 'BRL');
    } catch (InvalidArgumentException) {
        $found = null;
    }
    same($found, $wanted, 'toMinor(' . var_export($amount, true) . ')');
}
foreach ([[4990, '49.90'], [5, '0.05'], [0, '0.00'], [-350, '-3.50'], [9_007_199_254_740_991, '90071992547409.91']] as [$minor, $wanted]) {
    same(Money::toDecimal($minor, 'BRL'), $wanted, "toDecimal({$minor})");
}
same(Money::takes('JPY'), false, 'takes(JPY)');

foreach (json_decode((string) file_get_contents($vectors), true, 16, JSON_THROW_ON_ERROR) as $vector) {
    $holds = Json::read($vector['body']) !== null && Signature::holds($vector['body'], array_change_key_case($vector['headers']), $vector['secrets'], $vector['now']);
    same($holds, $vector['fault'] === null, $vector['name']);
}
echo "the units hold\n";
