// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A token that misbehaves on demand: the tests of the forwarder sweep it.
contract OddToken {
    enum Answer {
        True,
        Nothing,
        False,
        Short,
        Two
    }
    enum Fault {
        None,
        Revert,
        BurnGas,
        LongRevert,
        Reenter
    }

    Answer public answer;
    uint256 public feePercent;
    mapping(address holder => uint256) public balanceOf;
    mapping(address holder => Fault) public faults;

    event Transfer(address indexed from, address indexed to, uint256 value);

    /// @dev The third argument only makes the creation code, and so the address, another one.
    constructor(Answer answer_, uint256 feePercent_, uint256) {
        answer = answer_;
        feePercent = feePercent_;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function setFault(address holder, Fault fault) external {
        faults[holder] = fault;
    }

    function transfer(address to, uint256 amount) external {
        _fail(faults[msg.sender]);
        if (answer != Answer.False) {
            balanceOf[msg.sender] -= amount;
            balanceOf[to] += amount - (amount * feePercent) / 100;
            emit Transfer(msg.sender, to, amount);
        }
        _answer();
    }

    function _fail(Fault fault) private {
        if (fault == Fault.Revert) revert("not today");
        if (fault == Fault.Reenter) {
            // The balance has not moved yet: the inner sweep moves it, and the outer one then finds too little.
            faults[msg.sender] = Fault.None;
            (bool done,) = msg.sender.call(abi.encodeWithSignature("sweep(address)", address(this)));
            require(done, "the inner sweep failed");
        }
        if (fault == Fault.BurnGas) {
            assembly {
                invalid()
            }
        }
        if (fault == Fault.LongRevert) {
            assembly {
                revert(0, 100000)
            }
        }
    }

    function _answer() private view {
        Answer kind = answer;
        uint256 size = kind == Answer.Nothing ? 0 : kind == Answer.Short ? 5 : 32;
        uint256 word = kind == Answer.False ? 0 : kind == Answer.Two ? 2 : 1;
        assembly {
            mstore(0, word)
            return(0, size)
        }
    }
}
