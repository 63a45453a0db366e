// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DepositForwarder} from "./DepositForwarder.sol";

/// @title Opens and empties deposit addresses.
/// @notice A deposit address is a pure function of this factory and a salt (EIP-1014), so it can be paid long before
/// anything is deployed there. Sweeping puts a minimal clone (EIP-1167) at the address and moves its balance to the
/// treasury. Anyone may do that, at any time, as often as they like.
/// @dev No owner, no storage. One factory serves one treasury; another treasury needs another factory.
contract ForwarderFactory {
    /// @notice The gas that the sweep of one address gets. A token that burns all it is given (an old `assert` or `throw`)
    /// thus costs a batch this much, not 63/64 of everything. An ordinary token takes about a tenth.
    uint256 public constant SWEEP_GAS = 500_000;

    /// @notice What has to be left before each address: enough to deploy it and to hand over SWEEP_GAS whole, of which
    /// EIP-150 holds a 64th back. So a failure is the token's and never that of a caller who was short of gas, and
    /// eth_estimateGas cannot find an amount at which a batch "succeeds" because its sweeps ran dry.
    uint256 public constant GAS_RESERVE = 600_000;

    /// @notice The code behind every clone; it knows the treasury.
    DepositForwarder public immutable implementation;

    /// @notice Hash of the clones' creation code, the fourth ingredient of every address (EIP-1014).
    bytes32 public immutable cloneHash;

    /// @notice This address kept its balance; all others of the batch went on. A zero token is the native coin.
    event SweepFailed(address indexed token, bytes32 indexed salt);

    /// @notice The batch was given too little gas; nothing of it happened.
    error NotEnoughGas();

    constructor(address payable treasury) {
        implementation = new DepositForwarder{salt: 0}(treasury);
        cloneHash = keccak256(_cloneCode(implementation));
    }

    /// @notice The deposit address of `salt`, deployed or not.
    function addressOf(bytes32 salt) public view returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, cloneHash)))));
    }

    /// @notice Empties the addresses of `salts` of one token (the zero address: of the native coin) into the treasury,
    /// deploying where needed. One that fails is reported by an event and never stops the others.
    function sweep(address token, bytes32[] calldata salts) external {
        bytes memory code = _cloneCode(implementation);
        for (uint256 i = 0; i < salts.length; ++i) {
            if (gasleft() < GAS_RESERVE) revert NotEnoughGas();
            address payable forwarder = payable(addressOf(salts[i]));
            if (forwarder.code.length == 0 && !_deploy(code, salts[i])) {
                emit SweepFailed(token, salts[i]);
                continue;
            }
            try DepositForwarder(forwarder).sweep{gas: SWEEP_GAS}(token) {}
            catch {
                emit SweepFailed(token, salts[i]);
            }
        }
    }

    function _deploy(bytes memory code, bytes32 salt) private returns (bool) {
        address made;
        assembly ("memory-safe") {
            made := create2(0, add(code, 0x20), mload(code), salt)
        }
        return made != address(0);
    }

    /// @dev Creation code of the minimal proxy, byte for byte as in EIP-1167.
    function _cloneCode(DepositForwarder target) private pure returns (bytes memory) {
        return abi.encodePacked(
            hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", target, hex"5af43d82803e903d91602b57fd5bf3"
        );
    }
}
