// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Play money in the shape of Tether's USDT on Ethereum.
/// @notice A token of 6 decimals whose `transfer` and `transferFrom` return nothing, as that one's do. It has neither its fee nor its block list.
/// @dev For a sandbox chain only. Whoever owns it mints at will.
contract SandboxTether {
    string public constant name = "Sandbox Tether";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;

    uint256 public totalSupply;
    mapping(address holder => uint256) public balanceOf;
    mapping(address holder => mapping(address spender => uint256)) public allowance;
    address public immutable owner;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    /// @dev The owner is an argument, because the deterministic deployer is who creates the contract.
    constructor(address owner_) {
        owner = owner_;
    }

    /// @notice Returns nothing: a caller that expects a word would revert.
    function transfer(address to, uint256 amount) external {
        _transfer(msg.sender, to, amount);
    }

    /// @notice Returns nothing.
    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        _transfer(from, to, amount);
    }

    /// @notice Returns nothing. An allowance is changed only from zero or to zero.
    function approve(address spender, uint256 amount) external {
        require(amount == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
    }

    /// @notice Makes `amount` new units at each of these addresses.
    function mintBatch(address[] calldata to, uint256[] calldata amounts) external {
        require(msg.sender == owner && to.length == amounts.length);
        for (uint256 i = 0; i < to.length; ++i) {
            totalSupply += amounts[i];
            balanceOf[to[i]] += amounts[i];
            emit Transfer(address(0), to[i], amounts[i]);
        }
    }

    function _transfer(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}
