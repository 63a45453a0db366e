// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The sandbox's USDT: play money in the shape of BSC-USD.
/// @notice A BEP-20 token of 18 decimals that behaves as the real one does where a payment system can notice: the same
/// functions and revert reasons, no permit, no pause, no block list, and the same order inside `transferFrom`.
/// @dev For a sandbox chain only. Whoever owns it mints at will.
contract SandboxToken {
    string public constant name = "Sandbox Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 18;

    uint256 public totalSupply;
    mapping(address holder => uint256) public balanceOf;
    mapping(address holder => mapping(address spender => uint256)) public allowance;
    address public owner;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    modifier onlyOwner() {
        require(msg.sender == owner, "Ownable: caller is not the owner");
        _;
    }

    /// @dev The owner is an argument, because the deterministic deployer is who creates the contract.
    constructor(address owner_) {
        owner = owner_;
        emit OwnershipTransferred(address(0), owner_);
    }

    /// @notice The owner, as BEP-20 calls it.
    function getOwner() external view returns (address) {
        return owner;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _transfer(msg.sender, to, amount);
        return true;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        _approve(msg.sender, spender, amount);
        return true;
    }

    function increaseAllowance(address spender, uint256 added) external returns (bool) {
        _approve(msg.sender, spender, allowance[msg.sender][spender] + added);
        return true;
    }

    function decreaseAllowance(address spender, uint256 subtracted) external returns (bool) {
        uint256 current = allowance[msg.sender][spender];
        require(current >= subtracted, "BEP20: decreased allowance below zero");
        _approve(msg.sender, spender, current - subtracted);
        return true;
    }

    /// @notice Moves first and looks at the allowance afterwards, as BSC-USD does. So a stranger may "transfer" zero out
    /// of any account and a genuine Transfer event of value zero names that account: who reads events must expect it.
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        _transfer(from, to, amount);
        uint256 current = allowance[from][msg.sender];
        require(current >= amount, "BEP20: transfer amount exceeds allowance");
        _approve(from, msg.sender, current - amount);
        return true;
    }

    /// @notice Makes `amount` new units at `to`.
    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    /// @notice Makes units at many addresses at once: a lost sandbox chain gets its recorded balances back this way.
    function mintBatch(address[] calldata to, uint256[] calldata amounts) external onlyOwner {
        require(to.length == amounts.length, "SandboxToken: lengths differ");
        for (uint256 i = 0; i < to.length; ++i) _mint(to[i], amounts[i]);
    }

    /// @notice Destroys units of the caller.
    function burn(uint256 amount) external returns (bool) {
        require(balanceOf[msg.sender] >= amount, "BEP20: burn amount exceeds balance");
        balanceOf[msg.sender] -= amount;
        totalSupply -= amount;
        emit Transfer(msg.sender, address(0), amount);
        return true;
    }

    function transferOwnership(address newOwner) external onlyOwner {
        require(newOwner != address(0), "Ownable: new owner is the zero address");
        emit OwnershipTransferred(owner, newOwner);
        owner = newOwner;
    }

    function _mint(address to, uint256 amount) private {
        require(to != address(0), "BEP20: mint to the zero address");
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function _transfer(address from, address to, uint256 amount) private {
        require(from != address(0), "BEP20: transfer from the zero address");
        require(to != address(0), "BEP20: transfer to the zero address");
        require(balanceOf[from] >= amount, "BEP20: transfer amount exceeds balance");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }

    function _approve(address holder, address spender, uint256 amount) private {
        require(holder != address(0), "BEP20: approve from the zero address");
        require(spender != address(0), "BEP20: approve to the zero address");
        allowance[holder][spender] = amount;
        emit Approval(holder, spender, amount);
    }
}
