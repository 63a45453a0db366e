// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice The two functions of ERC-20 that a sweep needs. `transfer` has no return value here, because
/// real tokens return true, false or nothing, and the forwarder reads the answer itself.
interface IToken {
    function balanceOf(address holder) external view returns (uint256);
    function transfer(address to, uint256 amount) external;
}

/// @title The code behind every deposit address.
/// @notice Whatever lies at a deposit address, of any token or of the native coin, can leave it in one direction only:
/// to the treasury that was fixed when this implementation was deployed. So anyone may sweep: the key that pays for it
/// can burn its own gas and nothing else, and there is no key of the address that could be lost or stolen.
/// @dev Runs by delegatecall from EIP-1167 clones. It has no storage, no owner and no upgrade; the treasury is an
/// immutable, which means it is part of this code. A reentrant call finds the same rule and at most an empty balance.
/// Native coin that is sent with 2300 gas or less to an already deployed clone is refused and stays with its sender.
contract DepositForwarder {
    /// @notice Where everything goes.
    address payable public immutable treasury;

    /// @notice Native coin left this address; a token's own Transfer event says the same for a token.
    event NativeSwept(uint256 amount);

    error NoTreasury();
    error SweepRefused(address token);

    constructor(address payable treasury_) {
        if (treasury_ == address(0)) revert NoTreasury();
        treasury = treasury_;
    }

    receive() external payable {}

    /// @notice Moves the whole balance of `token` to the treasury; the zero address stands for the native coin.
    /// An empty balance is no error and does nothing.
    /// @return amount what the balance was.
    function sweep(address token) external returns (uint256 amount) {
        if (token == address(0)) {
            amount = address(this).balance;
            if (amount == 0) return 0;
            emit NativeSwept(amount);
            (bool sent,) = treasury.call{value: amount}("");
            if (!sent) revert SweepRefused(token);
            return amount;
        }
        amount = IToken(token).balanceOf(address(this));
        if (amount == 0) return 0;
        (bool done, bytes memory answer) = token.call(abi.encodeCall(IToken.transfer, (treasury, amount)));
        // Nothing (old tokens) and true mean yes; false, or an answer that is no boolean, means no.
        if (!done || (answer.length != 0 && !(answer.length >= 32 && uint256(bytes32(answer)) == 1))) {
            revert SweepRefused(token);
        }
    }
}
